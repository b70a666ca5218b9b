import type { TableCount } from './census.js'
import { ACTIONS_OF_A_LIFE } from './crowd.js'
import type { growth } from './gauge.js'

type Growth = ReturnType<typeof growth>

/** The measurements of a run that are checked. */
export interface Measured {
  readonly actions: number
  readonly resident: Growth
  readonly live: Growth
  readonly handles: Growth
  readonly storeSize: Growth
  readonly tables: readonly TableCount[]
}

const MiB = 1024 * 1024
/** Average number of device lives after which the size of the store must be constant. */
const LIVES = 6
/** Maximum average bytes of a row including indices; more is wasted space. Small tables are not checked. */
const ROW_BYTES = 2048
/** Maximum average bytes of a blob part: here of 2 KiB, each on a separate page. */
const PART_BYTES = 6144
const SMALL = MiB / 4

/** Returns one sentence for each excess: heap, memory, handles and store size by their growth, and tables by the actions of devices. */
export function whatGrew(
  { actions, resident, live, handles, storeSize, tables }: Measured,
  devices: number,
): readonly string[] {
  const isSteady = actions / devices >= LIVES * ACTIONS_OF_A_LIFE
  const slopes = [
    ['resident', resident, resident.middle * 1.25 + 32 * MiB],
    ['live', live, live.middle * 1.1 + 8 * MiB],
    ['handles', handles, handles.middle * 1.5 + 64],
    ['the store', storeSize, isSteady ? storeSize.middle * 1.1 + 8 * MiB : storeSize.middle * 2 + 32 * MiB],
  ] as const
  return [
    ...slopes.flatMap(([name, { middle, end }, most]) =>
      end <= most ? [] : [`${name} grew from ${middle} to ${end}, expected at most ${Math.round(most)}`],
    ),
    ...tables.flatMap(({ table, rows, most, bytes }) => {
      if (rows > most) return [`${table} has ${rows} rows, expected at most ${most}`]
      const each = table === 'blob_part' ? PART_BYTES : ROW_BYTES
      // Freed pages are reused, so the size may stay at its peak.
      if (bytes > SMALL && bytes > rows * each) return [`${table} has ${bytes} bytes for ${rows} rows`]
      return []
    }),
  ]
}
