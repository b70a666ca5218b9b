import type { SystemKind } from '../systems/system.js'

/** What every workload is given. */
export interface Sizes {
  /** Numbers of objects, ascending; the last is the large one. */
  readonly objects: readonly number[]
  /** Of the workload that shows whether anything grows with the data. */
  readonly large: number
  /** Runs of each measurement. */
  readonly runs: number
  /** Requests of each latency measurement. */
  readonly requests: number
  /** How often each thing that is timed by itself is done (`--rounds`). */
  readonly rounds: number
  /** `cpu`: workloads of one process, and those of writes, count the processor time of the program that is measured: the machine may be shared with others. */
  readonly clock: 'wall' | 'cpu'
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

export interface Workload<Kind extends { readonly name: string } = SystemKind> {
  /** As performance figures name it: `a. first sync`. */
  readonly name: string
  readonly systems: readonly Kind[]
  run(system: Kind, sizes: Sizes): Promise<readonly Omit<Result, 'workload' | 'system'>[]>
}
