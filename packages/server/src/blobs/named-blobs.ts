import type { Attributes, Mutation } from '@godwit/protocol'

const HASH = /^[0-9a-f]{64}$/

/** Whether a value may name a blob. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value)

/** The blobs that a mutation names among these attributes: attribute and hash. Any other text of 64 hexadecimal digits is text. */
export function namedBlobs(
  { blobs = [] }: Pick<Mutation, 'blobs'>,
  attributes: Attributes = {},
): readonly (readonly [attribute: string, hash: string])[] {
  return [...new Set(blobs)].flatMap(name => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return isHash(value) ? [[name, value] as const] : []
  })
}
