import type { SystemKind } from '../systems/system.js'

/** What every workload is given. */
export interface Sizes {
  /** Numbers of objects, ascending; the last is the large one. */
  readonly objects: readonly number[]
  /** Runs of each measurement. */
  readonly runs: number
  /** Requests of each latency measurement. */
  readonly requests: number
}

export interface Result {
  readonly workload: string
  readonly system: string
  /** Unit behind a comma: `objects/s`. */
  readonly measure: string
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Workload {
  /** As performance figures name it: `a. first sync`. */
  readonly name: string
  readonly systems: readonly SystemKind[]
  run(system: SystemKind, sizes: Sizes): Promise<readonly Omit<Result, 'workload' | 'system'>[]>
}
