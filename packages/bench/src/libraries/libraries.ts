import type { Library } from './library.js'

/** Loaded only in the process that measures it. */
export const LIBRARIES: { readonly [name: string]: () => Promise<Library> } = {
  'better-sqlite3 by hand': async () => (await import('./by-hand.js')).byHand,
  'Godwit, fixed_schema': async () => (await import('./godwit-model.js')).godwitModel('fixed'),
  'Godwit, property bag': async () => (await import('./godwit-model.js')).godwitModel('bag'),
}
