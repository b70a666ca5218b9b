import type { DeviceRow } from '../device-rows.js'

/** A number of rows, to check the result. */
export type RowCount = number | Promise<number>

/** A store of rows on a device, open and filled. */
export interface OpenLibrary {
  createOne(row: DeviceRow): void | Promise<unknown>
  createMany(rows: readonly DeviceRow[]): void | Promise<unknown>
  findIndexed(group: string): RowCount
  findUnindexed(group: string): RowCount
  /** Rows with a number below one bound or above the other. Absent if it adds nothing to the comparison. */
  findEither?(below: number, above: number): RowCount
  byId(id: string): RowCount
  /** 50 rows in the order of an attribute. */
  pageUnindexed?(page: number): RowCount
  pageIndexed(page: number): RowCount
  updateOne(id: string, note: string): void | Promise<unknown>
  removeBatch(batch: string): RowCount
  close(): void | Promise<void>
}

export interface Library {
  /** Opens an empty directory and fills it with rows that count as known to the server if the library syncs. */
  open(directory: string, rows: readonly DeviceRow[]): Promise<OpenLibrary>
}

export const PAGE = 50
