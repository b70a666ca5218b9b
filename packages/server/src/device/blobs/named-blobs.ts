import type { Attributes, Mutation } from '@godwit/protocol'

const HASH = /^[0-9a-f]{64}$/

/** True if the value is a SHA-256 in hexadecimal, so that it may name a blob. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value)

/**
 * Returns attribute and hash of each blob that a mutation names. An attribute that the mutation does not list as a blob is plain text, even if it
 * looks like a hash.
 */
export function namedBlobs(
  { blobs = [] }: Pick<Mutation, 'blobs'>,
  attributes: Attributes = {},
): readonly (readonly [attribute: string, hash: string])[] {
  return [...new Set(blobs)].flatMap(name => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return isHash(value) ? [[name, value] as const] : []
  })
}
