import type { Library } from './library.js'

/** The libraries by name, each imported only in the process that measures it. */
export const LIBRARIES: { readonly [name: string]: () => Promise<Library> } = {
  'better-sqlite3 by hand': async () => (await import('./by-hand.js')).byHand,
  kysely: async () => (await import('./kysely.js')).kysely,
  drizzle: async () => (await import('./drizzle.js')).drizzle,
  typeorm: async () => (await import('./typeorm.js')).typeorm,
  'WatermelonDB (better-sqlite3)': async () => (await import('./watermelondb.js')).watermelondb,
  'RxDB, memory': async () => (await import('./rxdb.js')).rxdb,
  'PouchDB, LevelDB': async () => (await import('./pouchdb.js')).pouchdb,
  'Godwit, fixed_schema': async () => (await import('./godwit-model.js')).godwitModel('fixed'),
  'Godwit, property bag': async () => (await import('./godwit-model.js')).godwitModel('bag'),
}
