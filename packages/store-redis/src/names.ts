import type { CollectionId } from '@godwit/store'

/** Texts in order of their bytes, as a sorted set keeps them. */
export interface Range {
  readonly min: string
  readonly max: string
}

/**
 * Two texts as one, so that the bytes of such texts are in the order of the pairs. A zero byte within the first is marked,
 * two of them end it.
 */
export const pairText = (first: string, second: string): string =>
  `${first.toWellFormed().replaceAll('\0', '\0\x01')}\0\0${second.toWellFormed()}`

/** Splits what `pairText` joined. */
export function pairOf(text: string): readonly [first: string, second: string] {
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', at + 2))
    if (text[at + 1] === '\0') return [text.slice(0, at).replaceAll('\0\x01', '\0'), text.slice(at + 2)]
  return ['', text]
}

/** All pairs, or those of one first text whose second is after another. */
export function pairRange(first?: string, after?: string): Range {
  if (first === undefined) return { min: '-', max: '+' }
  const start = pairText(first, after ?? '')
  return {
    min: `${after === undefined ? '[' : '('}${start}`,
    max: `(${first.toWellFormed().replaceAll('\0', '\0\x01')}\0\x01`,
  }
}

/** A range in a packed order of several kinds, each after its letter: the first text, and the one before which it ends. */
export function boundsOf(kind: string, { min, max }: Range): readonly [first: string, last: string] {
  // Nothing is between a text and the same text with a zero byte.
  const first = `${kind}${min.slice(1)}${min.startsWith('(') ? '\0' : ''}`
  return [first, max === '+' ? String.fromCharCode(kind.charCodeAt(0) + 1) : `${kind}${max.slice(1)}`]
}

/** The lower bound of a range that begins after a text; of the whole order where there is none. */
export const afterText = (after: string | undefined): string => (after === undefined ? '-' : `(${after.toWellFormed()}`)

/** The name of a collection in an index, in order of source and partition. */
export const collectionName = ({ source, partition }: CollectionId): string => pairText(source, partition)

/** Reads the name of a collection in an index. */
export function parseCollectionName(text: string): CollectionId {
  const [source, partition] = pairOf(text)
  return { source, partition }
}
