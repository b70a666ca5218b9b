/** The result of a step of all devices. */
export interface Tally {
  /** Durations in milliseconds of the successful ones. */
  readonly times: readonly number[]
  readonly requests: number
  readonly rows: number
  readonly failed: number
  /** The first few errors. */
  readonly errors: readonly string[]
  /** Processor time of the devices' process, in seconds. */
  readonly cpu: number
}

export const MAX_ERRORS = 5

export const sumTallies = (tallies: readonly Tally[]): Tally => ({
  times: tallies.flatMap(({ times }) => times),
  requests: sum(tallies.map(({ requests }) => requests)),
  rows: sum(tallies.map(({ rows }) => rows)),
  failed: sum(tallies.map(({ failed }) => failed)),
  errors: tallies.flatMap(({ errors }) => errors).slice(0, MAX_ERRORS),
  cpu: sum(tallies.map(({ cpu }) => cpu)),
})

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** User and system time of a process, in seconds. */
export const cpuSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6
