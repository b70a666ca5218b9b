import type { SystemKind } from '../systems/system.js'

/** The parameters of every workload. */
export interface Sizes {
  /** Numbers of objects, ascending; the last is the large one. */
  readonly objects: readonly number[]
  /** Number of objects of the workload that measures growth with the data. */
  readonly large: number
  /** Number of runs of each measurement. */
  readonly runs: number
  /** Number of requests of each latency measurement. */
  readonly requests: number
  /** Number of repetitions of individually timed operations (`--rounds`). */
  readonly rounds: number
  /** `cpu`: measures processor time in workloads of one process and of writes, since the machine may be shared. */
  readonly clock: 'wall' | 'cpu'
}

export interface Result {
  readonly workload: string
  readonly system: string
  /** The name of the measure, with its unit after a comma: `objects/s`. */
  readonly measure: string
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Workload<Kind extends { readonly name: string } = SystemKind> {
  /** The name in the performance documentation: `a. first sync`. */
  readonly name: string
  readonly systems: readonly Kind[]
  run(system: Kind, sizes: Sizes): Promise<readonly Omit<Result, 'workload' | 'system'>[]>
}
