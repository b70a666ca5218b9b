import type { JsonValue } from '@godwit/protocol'
import { parseJson } from './backend-answer.js'

/** What a create answers, as JSON: an id of more digits than a number holds is text, since as a number it would be another one. */
export function parseCreated(text: string): JsonValue {
  const answer = parseJson(text)
  if (typeof answer === 'number') return asItCame(answer, text)
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) return answer
  const { id } = answer
  return typeof id === 'number' ? { ...answer, id: asItCame(id, sourceOfId(text)) } : answer
}

const asItCame = (number: number, source: string): number | string =>
  !Number.isSafeInteger(number) && /^-?\d+$/.test(source) ? source : number

/** How the number under the id of the whole was written. */
function sourceOfId(text: string): string {
  const sources = new Map<object, string>()
  const whole = JSON.parse(text, function (this: object, name: string, value: unknown, written?: PrimitiveSource) {
    if (name === 'id' && written?.source !== undefined) sources.set(this, written.source)
    return value
  }) as object
  return sources.get(whole) ?? ''
}

/** What JavaScript tells of a primitive value besides; its types do not know of it yet. */
interface PrimitiveSource {
  readonly source?: string
}
