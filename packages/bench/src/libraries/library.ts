import type { DeviceRow } from '../device-rows.js'

/** What a library answers: how many rows, where that can be checked. */
export type RowCount = number | Promise<number>

/** A store of rows on a device, open and filled. */
export interface OpenLibrary {
  createOne(row: DeviceRow): void | Promise<unknown>
  createMany(rows: readonly DeviceRow[]): void | Promise<unknown>
  findIndexed(group: string): RowCount
  findUnindexed(group: string): RowCount
  /** Rows whose number is below the one or above the other. Left out where it adds nothing to compare. */
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
  /** An empty directory, filled with rows that count as known to the server where the library syncs. */
  open(directory: string, rows: readonly DeviceRow[]): Promise<OpenLibrary>
}

export const PAGE = 50
