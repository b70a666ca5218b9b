import type { CollectionId } from '@godwit/store'

/** Bounds in a sorted set ordered by bytes. */
export interface Range {
  readonly min: string
  readonly max: string
}

/** Joins two texts so that the results sort by bytes like the pairs. A zero byte within the first text is escaped; two zero bytes end it. */
export const pairText = (first: string, second: string): string =>
  `${first.toWellFormed().replaceAll('\0', '\0\x01')}\0\0${second.toWellFormed()}`

/** Splits a text that `pairText` joined. */
export function pairOf(text: string): readonly [first: string, second: string] {
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', at + 2))
    if (text[at + 1] === '\0') return [text.slice(0, at).replaceAll('\0\x01', '\0'), text.slice(at + 2)]
  return ['', text]
}

/** The range of all pairs, or of those with this first text, optionally after a second text. */
export function pairRange(first?: string, after?: string): Range {
  if (first === undefined) return { min: '-', max: '+' }
  const start = pairText(first, after ?? '')
  return {
    min: `${after === undefined ? '[' : '('}${start}`,
    max: `(${first.toWellFormed().replaceAll('\0', '\0\x01')}\0\x01`,
  }
}

/** The first text and the exclusive end of a range in a packed order of several kinds, each prefixed by its letter. */
export function rangeBounds(kind: string, { min, max }: Range): readonly [first: string, last: string] {
  // Appending a zero byte gives the next text in the order.
  const first = `${kind}${min.slice(1)}${min.startsWith('(') ? '\0' : ''}`
  return [first, max === '+' ? String.fromCharCode(kind.charCodeAt(0) + 1) : `${kind}${max.slice(1)}`]
}

/** The lower bound of a range that begins after a text, or at the start if undefined. */
export const afterText = (after: string | undefined): string => (after === undefined ? '-' : `(${after.toWellFormed()}`)

/** The name of a collection in an index, ordered by source and partition. */
export const collectionName = ({ source, partition }: CollectionId): string => pairText(source, partition)

/** Parses the name of a collection in an index. */
export function parseCollectionName(text: string): CollectionId {
  const [source, partition] = pairOf(text)
  return { source, partition }
}
