import type { Source } from '../sources/source.js'

const MOST = 1000

/** Of each backend: how many calls in a row it answered in the turn of the event loop in which they came. */
const answeredAtOnce = new WeakMap<Source['methods'], number>()

/**
 * How many calls of a source may be begun together. One that answers in the turn in which it is called is never at two of them at a time, so that as many
 * are begun as it lately answered so: they share their commits. All others are asked `least` at a time.
 */
export const callConcurrency = ({ methods }: Source, least: number): number =>
  Math.max(least, Math.min(MOST, answeredAtOnce.get(methods) ?? 0))

/** Waits for what a source says, and notes whether it said it at once. */
export async function noteCallDuration<T>({ methods }: Source, said: Promise<T>): Promise<T> {
  let isLater = false
  const later = setImmediate(() => {
    isLater = true
  })
  const verdict = await said
  clearImmediate(later)
  answeredAtOnce.set(methods, isLater ? 0 : (answeredAtOnce.get(methods) ?? 0) + 1)
  return verdict
}
