/** What the device-side workloads store: an id, six texts of about 20 bytes and a number. */
export interface DeviceRow {
  readonly id: string
  /** About 99 of 100,000 share one; there is an index on it. */
  readonly indexed: string
  /** The same without an index. */
  readonly unindexed: string
  readonly note: string
  readonly place: string
  readonly person: string
  /** Ten thousand share one: what is removed together. */
  readonly batch: string
  readonly rank: number
}

export const TEXTS = ['indexed', 'unindexed', 'note', 'place', 'person', 'batch'] as const
const GROUPS = 1010
export const BATCH = 10_000

const text = (word: string, number: number): string => `${word} ${String(number).padStart(14, '0')}`

export const groupText = (index: number): string => text('group', index % GROUPS)
export const batchText = (batch: number): string => text('batch', batch)
export const noteText = (turn: number): string => text('noted', turn)
export const idOf = (index: number): string => `item-${String(index).padStart(9, '0')}`

/** The i-th of what is stored before anything is measured. */
export const storedRow = (index: number): DeviceRow => ({
  id: idOf(index),
  indexed: groupText(index),
  unindexed: groupText(index),
  note: text('note', index),
  place: text('place', index),
  person: text('person', index),
  batch: batchText(Math.floor(index / BATCH)),
  rank: index,
})

/** One that is made while it is measured: in no group and no batch that is asked for. */
export const newRow = (index: number): DeviceRow => ({
  ...storedRow(index),
  id: `made-${String(index).padStart(9, '0')}`,
  indexed: text('made', index),
  unindexed: text('made', index),
  batch: 'made',
  rank: 10_000_000 + index,
})
