import { createHmac } from 'node:crypto'
import type { Attributes, JsonValue, ObjectMap } from '@godwit/protocol'
import { attributesText, parseAttributes } from '@godwit/store/history'
import type { BackendEngine } from '../backend-engine.js'

/** Computes the digest that is stored instead of an object's content. */
export type Digest = (attributes: Attributes) => string

/**
 * Returns the stored attributes of a pass-through object: a digest that changes with its content. Versions, tombstones, tokens and checksums are
 * those of any collection; only the content is fetched from the source for a device.
 */
export const digestAttributes = (digest: string): Attributes => ({ [MEMBER]: digest })

/** Returns the digest in the stored text of an object. */
export const digestIn = (text: string): unknown => (JSON.parse(text) as { readonly [MEMBER]?: unknown })[MEMBER]

const MEMBER = 'digest'
const RECORD = 'pass_through'

/**
 * Returns the digest function. It is keyed, so that equal contents in two stores cannot be recognised; the key is stored with the data and removed by
 * a reset.
 */
export async function openDigest({
  store: { registry },
  randomId,
}: Pick<BackendEngine, 'store' | 'randomId'>): Promise<Digest> {
  const known = await registry.get('server', RECORD)
  if (known === undefined) await registry.create('server', { id: RECORD, value: { key: randomId() + randomId() } })
  const key = String((known ?? (await registry.get('server', RECORD)))?.value['key'])
  // Over the attributes as devices get them: dates are text, and `null` is absent.
  return attributes =>
    createHmac('sha256', key)
      .update(canonical(parseAttributes(attributesText(attributes))))
      .digest('base64url')
}

/** Replaces the objects of a query's result by their digests, part by part. */
export async function* withDigests(parts: AsyncIterable<ObjectMap>, digest: Digest): AsyncGenerator<ObjectMap> {
  for await (const part of parts) {
    yield Object.fromEntries(Object.entries(part).map(([id, attributes]) => [id, digestAttributes(digest(attributes))]))
  }
}

/** Returns the same text for equal values, regardless of the order of members. */
function canonical(value: Attributes | JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member as JsonValue)}`).join(',')}}`
}
