import { requirements } from '../requirement.js'

export const installing = requirements('behaviour.installing', {
  'node-sqlite': { says: '@godwit/model installed alone works by the SQLite built into Node.', state: 'held' },
  'better-sqlite3': { says: 'better-sqlite3 is preferred where it is installed.', state: 'held' },
})
