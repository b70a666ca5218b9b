/** A row of the device-side workloads: an id, six texts of about 20 bytes and a number. */
export interface DeviceRow {
  readonly id: string
  /** Indexed; about 99 of 100,000 rows share a value. */
  readonly indexed: string
  /** The same values without an index. */
  readonly unindexed: string
  readonly note: string
  readonly place: string
  readonly person: string
  /** Shared by 10,000 rows, which are removed together. */
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

/** Returns the i-th row stored before measuring. */
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

/** Returns a row to create while measuring, outside the queried groups and batches. */
export const newRow = (index: number): DeviceRow => ({
  ...storedRow(index),
  id: `made-${String(index).padStart(9, '0')}`,
  indexed: text('made', index),
  unindexed: text('made', index),
  batch: 'made',
  rank: 10_000_000 + index,
})
