import { HALF_PAIR, isWellFormed, MAX_ID_BYTES, type ObjectMap, SyncError } from '@godwit/protocol'
import { isRecord } from '../sources/is-record.js'
import { notJson } from '../sources/not-json.js'
import type { QueryContext, Source } from '../sources/source.js'

/**
 * Everything that a query gives, part by part: what the source stashes while it runs, then what it returns or yields.
 * Ends when the source is done; throws what it throws.
 */
export async function* queryStream(source: Source, context: Omit<QueryContext, 'stash'>): AsyncGenerator<ObjectMap> {
  const stashed: ObjectMap[] = []
  let stash = false
  let wake = (): void => {}
  const answer = Promise.resolve(
    source.methods.query?.({
      ...context,
      stash(objects) {
        stash = true
        stashed.push(checkedPart(source.name, objects))
        wake()
      },
    }),
  )
  let done = false
  const end = (): void => {
    done = true
    wake()
  }
  answer.then(end, end)
  for (;;) {
    for (let part = stashed.shift(); part !== undefined; part = stashed.shift()) yield part
    if (done) break
    await new Promise<void>(resolve => {
      wake = resolve
    })
  }
  for await (const part of partsOf(source.name, await answer, stash)) {
    for (let early = stashed.shift(); early !== undefined; early = stashed.shift()) yield early
    yield part
  }
  yield* stashed
}

/** The parts of a query's answer, each checked. Nothing is an answer only where parts were stashed. */
async function* partsOf(source: string, answer: unknown, stashed: boolean): AsyncGenerator<ObjectMap> {
  if (answer === undefined && stashed) return
  if (isStream(answer)) for await (const part of answer) yield checkedPart(source, part)
  else yield checkedPart(source, answer)
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** The part, if it is an object map. Throws `backend_failed`, saying what came. */
export function checkedPart(source: string, part: unknown, method: 'query' | 'search' = 'query'): ObjectMap {
  const unlike = (got: string): SyncError => notAMap(source, method, got)
  if (!isRecord(part)) throw unlike(kindOf(part))
  for (const id of Object.keys(part)) {
    // Longer in characters is longer in bytes; the others are measured only when they may be too long.
    if (id === '' || (id.length * 3 > MAX_ID_BYTES && Buffer.byteLength(id) > MAX_ID_BYTES)) {
      throw unlike(`an id of ${Buffer.byteLength(id)} bytes`)
    }
    if (!id.isWellFormed()) throw unlike(`${HALF_PAIR} in the id ${JSON.stringify(id)}`)
    const attributes = part[id]
    if (!isRecord(attributes)) throw unlike(`${kindOf(part[id])} under the id ${JSON.stringify(id)}`)
    const flaw = notJson(attributes)
    if (flaw !== undefined) throw unlike(`the object ${JSON.stringify(id)}, of which ${flaw}, which is no JSON`)
    if (!isWellFormed(attributes)) throw unlike(`${HALF_PAIR} under the id ${JSON.stringify(id)}`)
  }
  return part as ObjectMap
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value
}

const notAMap = (source: string, method: string, got: string): SyncError =>
  new SyncError(
    'backend_failed',
    `The ${method} of ${source}: expected objects by id, { id: { attribute: value } }, with ids of 1 to ${MAX_ID_BYTES} bytes, got ${got}.`,
  )
