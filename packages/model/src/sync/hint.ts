import type { OpenModel } from '../database/models.js'

/** Where a collection stands on the server. */
export interface CollectionHead {
  readonly epoch: string
  readonly head: number
}

/** What the server tells of a source: a change, up to this head, or where it stands by now. Without a head: something may have changed. */
export interface Hint {
  readonly kind: 'change' | 'check'
  readonly head?: CollectionHead | undefined
}

/** Whether the device has all that a hint tells of. A head that is lower than before tells of a server that lost something. */
export function hasAll({ partition, name }: Pick<OpenModel, 'partition' | 'name'>, { kind, head }: Hint): boolean {
  const { epoch, base, token, running } = partition.sources.get(name)
  if (head === undefined || token === null || running || epoch !== head.epoch) return false
  return kind === 'check' ? base === head.head : base >= head.head
}
