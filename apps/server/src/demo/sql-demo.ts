import type { Attributes } from '@godwit/protocol'
import { type SqlFeed, sqlFeed, sqlSource } from '@godwit/sql'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '../connect-database.js'
import { readOnly } from './cities.js'
import { type City, readCities } from './city-file.js'
import { type Demo, type DemoOptions, notices } from './demo.js'
import { SEEDED_VISITS, visitedAt } from './seed-visits.js'

/** The tables of the demo. */
interface DemoTables {
  readonly city: City & { readonly id: string }
  readonly visit: {
    readonly id: string
    readonly user_login: string
    readonly city_id: string
    readonly note: string | null
    readonly rating: number | null
    readonly visited_at: string | null
    readonly photo: string | null
  }
}

const CITY_COLUMNS = ['name', 'country', 'population', 'latitude', 'longitude', 'admin_code', 'feature_code'] as const

/** Cities and visits in tables of a PostgreSQL, which are created and filled where they are missing. Notices come by pushes. */
export async function openSqlDemo(url: string, { hasVisits }: DemoOptions): Promise<Demo> {
  const kysely = connectDatabase<DemoTables>(url)
  const db = sqlFeed({ db: kysely })
  const sources = [cities(db), visits(db), notices]
  try {
    await createTables(kysely, hasVisits)
    await db.install()
  } catch (error) {
    await kysely.destroy()
    throw error
  }
  return { sources, close: () => kysely.destroy() }
}

const cities = (db: SqlFeed<DemoTables>) =>
  sqlSource({
    db,
    name: 'City',
    table: 'city',
    key: 'id',
    columns: CITY_COLUMNS,
    syncPriority: 1,
    writable: false,
    create: readOnly,
    update: readOnly,
    delete: readOnly,
  })

const visits = (db: SqlFeed<DemoTables>) =>
  sqlSource({
    db,
    name: 'Visit',
    table: 'visit',
    key: 'id',
    columns: ['city_id', 'note', 'rating', 'visited_at', 'photo'],
    owner: 'user_login',
    belongsTo: { city_id: 'City' },
    // The table has the hash of a photo; its bytes stay in the store of the server.
    storeBlob() {},
    resolve: ({ theirs, mine }) => theirs && ({ ...theirs, ...mine } as Attributes),
  })

async function createTables(db: Kysely<DemoTables>, hasVisits: boolean): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS city (id BIGINT PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, population INT NOT NULL,
    latitude FLOAT8 NOT NULL, longitude FLOAT8 NOT NULL, admin_code TEXT NOT NULL, feature_code TEXT NOT NULL)`.execute(
    db,
  )
  await sql`CREATE TABLE IF NOT EXISTS visit (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_login TEXT NOT NULL, city_id BIGINT, note TEXT,
    rating INT CHECK (rating BETWEEN 1 AND 5), visited_at TIMESTAMPTZ, photo TEXT)`.execute(db)
  const { rows } = await sql`SELECT 1 FROM city LIMIT 1`.execute(db)
  if (rows.length > 0) return
  // One transaction: an interrupted start begins again.
  await db.transaction().execute(async transaction => {
    for await (const part of readCities()) await insertCities(transaction, part)
    if (hasVisits) await insertVisits(transaction)
  })
}

async function insertCities(db: Kysely<DemoTables>, part: { readonly [id: string]: City }): Promise<void> {
  const cities = JSON.stringify(Object.entries(part).map(([id, city]) => ({ id, ...city })))
  await sql`INSERT INTO city SELECT * FROM json_populate_recordset(NULL::city, ${cities}::json)`.execute(db)
}

async function insertVisits(db: Kysely<DemoTables>): Promise<void> {
  for (const [login, visits] of Object.entries(SEEDED_VISITS))
    for (const [at, [city, rating, text]] of visits.entries())
      await sql`INSERT INTO visit (user_login, city_id, note, rating, visited_at) VALUES (${login}, ${city}, ${text}, ${rating}, ${visitedAt(at)})`.execute(
        db,
      )
}
