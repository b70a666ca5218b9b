import { createHmac } from 'node:crypto'
import type { Attributes, JsonValue, ObjectMap } from '@godwit/protocol'
import { attributesText, parseAttributes } from '@godwit/store/history'
import type { Engine } from '../engine.js'

/** Makes of an object what may be kept of it. */
export type Digest = (attributes: Attributes) => string

/**
 * What a collection keeps of an object whose source passes through: that it is there, and a digest that tells when it changed. Versions,
 * removals, tokens and sums are those of any collection; only the content has to be fetched from the source when a device gets it.
 */
export const digestAttributes = (digest: string): Attributes => ({ [MEMBER]: digest })

/** The digest in the stored text of an object. */
export const digestIn = (text: string): unknown => (JSON.parse(text) as { readonly [MEMBER]?: unknown })[MEMBER]

const MEMBER = 'digest'
const RECORD = 'pass_through'

/** Keyed, so that equal contents of two stores cannot be told to be equal. The key lives with the store and goes with it at a reset. */
export async function openDigest({
  store: { registry },
  randomId,
}: Pick<Engine, 'store' | 'randomId'>): Promise<Digest> {
  const known = await registry.get('server', RECORD)
  if (known === undefined) await registry.create('server', { id: RECORD, value: { key: randomId() + randomId() } })
  const key = String((known ?? (await registry.get('server', RECORD)))?.value['key'])
  // Of what devices are sent: a date is its text, and `null` is absent.
  return attributes =>
    createHmac('sha256', key)
      .update(canonical(parseAttributes(attributesText(attributes))))
      .digest('base64url')
}

/** The parts of a query's answer, each object as its digest. */
export async function* withDigests(parts: AsyncIterable<ObjectMap>, digest: Digest): AsyncGenerator<ObjectMap> {
  for await (const part of parts) {
    yield Object.fromEntries(Object.entries(part).map(([id, attributes]) => [id, digestAttributes(digest(attributes))]))
  }
}

/** The same text for the same value, whatever the order of members. */
function canonical(value: Attributes | JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member as JsonValue)}`).join(',')}}`
}
