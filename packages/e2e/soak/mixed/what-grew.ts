import type { TableCount } from './census.js'
import { ACTIONS_OF_A_LIFE } from './crowd.js'
import type { growth } from './gauge.js'

type Growth = ReturnType<typeof growth>

/** What a run measured, as far as it is judged. */
export interface Measured {
  readonly actions: number
  readonly resident: Growth
  readonly live: Growth
  readonly handles: Growth
  readonly storeSize: Growth
  readonly tables: readonly TableCount[]
}

const MiB = 1024 * 1024
/** Lives that devices have lived before what they leave behind would show as a slope of the store's size. */
const LIVES = 6
/** Bytes of a row with its indices, on average, beyond which pages are wasted; a table of few pages is not judged. */
const ROW_BYTES = 2048
/** Each part of a blob, here 2 KiB, has a page. */
const PART_BYTES = 6144
const SMALL = MiB / 4

/** A sentence for each that has more than it should: heap, memory and handles by their slope, tables by what devices did, and the store's size once it can be flat. */
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
      // What was freed is used again by what comes next: as much as there ever was at once may stay.
      if (bytes > SMALL && bytes > rows * each) return [`${table} has ${bytes} bytes for ${rows} rows`]
      return []
    }),
  ]
}
