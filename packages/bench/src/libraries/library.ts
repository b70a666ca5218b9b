import type { DeviceRow } from '../device-rows.js'

/** Number of affected or found rows, to check the result. */
export type RowCount = number | Promise<number>

/** An open library with stored rows. */
export interface OpenLibrary {
  createOne(row: DeviceRow): void | Promise<unknown>
  createMany(rows: readonly DeviceRow[]): void | Promise<unknown>
  findIndexed(group: string): RowCount
  findUnindexed(group: string): RowCount
  /** Finds rows with a number below one bound or above the other. Absent if it adds nothing to the comparison. */
  findEither?(below: number, above: number): RowCount
  byId(id: string): RowCount
  /** Finds a page of 50 rows, ordered by an attribute. */
  pageUnindexed?(page: number): RowCount
  pageIndexed(page: number): RowCount
  updateOne(id: string, note: string): void | Promise<unknown>
  removeBatch(batch: string): RowCount
  close(): void | Promise<void>
}

export interface Library {
  /** Opens an empty directory and stores rows, which count as known to the server if the library syncs. */
  open(directory: string, rows: readonly DeviceRow[]): Promise<OpenLibrary>
}

export const PAGE = 50
