import type { DeviceRow } from '../src/device-rows.js'

/** A library in a page, its rows on disk. */
export interface PageSystem {
  /** Stores many rows, on disk when it resolves. */
  store(rows: readonly DeviceRow[]): Promise<unknown>
  create(row: DeviceRow): Promise<unknown>
  /** How many rows are in a group, by an index. */
  find(group: string): Promise<number>
  /** Calls back with the number of rows in a group, at once and after each change. Call the result to stop. */
  live(group: string, tell: (count: number) => void): Promise<() => void>
}

/** Opens what there is, or begins. */
export type OpenPageSystem = () => Promise<PageSystem>
