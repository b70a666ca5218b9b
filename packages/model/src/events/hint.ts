import type { OpenModel } from '../database/open-models.js'

/** The state of a collection on the server. */
export interface CollectionHead {
  readonly epoch: string
  readonly head: number
}

/** A hint of the server about a source: a change up to this head, or the current state. Without a head: something may have changed. */
export interface Hint {
  readonly kind: 'change' | 'check'
  readonly head?: CollectionHead | undefined
}

/** Whether the device has everything that a hint announces. A lower head than before means that the server lost data. */
export function hasAll({ state }: Pick<OpenModel, 'state'>, { kind, head }: Hint): boolean {
  const { epoch, base, token, running } = state.get()
  if (head === undefined || token === null || running || epoch !== head.epoch) return false
  return kind === 'check' ? base === head.head : base >= head.head
}
