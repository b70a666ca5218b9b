import type { DeviceRow } from '../src/device-rows.js'

/** A library in a page, with rows on disk. */
export interface PageSystem {
  /** Stores rows; resolves when they are on disk. */
  store(rows: readonly DeviceRow[]): Promise<unknown>
  create(row: DeviceRow): Promise<unknown>
  /** Counts the rows in a group, by an index. */
  find(group: string): Promise<number>
  /** Calls back with the number of rows in a group, immediately and after each change. Call the result to stop. */
  live(group: string, report: (count: number) => void): Promise<() => void>
}

/** Opens an existing database or creates one. */
export type OpenPageSystem = () => Promise<PageSystem>
