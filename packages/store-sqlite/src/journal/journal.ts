import type { Journal } from '@godwit/store'
import { find } from '../collections/head.js'
import type { Database } from '../database.js'
import { accept } from './accept.js'
import { acknowledge } from './acknowledge.js'
import { dropClient } from './clients.js'
import { release, retry } from './release.js'
import { settle } from './settle.js'
import { start } from './start.js'
import { entries, outcomes, queued, undecided } from './tell.js'

export function sqliteJournal(database: Database): Journal {
  return {
    accept: (id, acceptance) => accept(database, id, acceptance),
    flush: () => database.flush(),
    start: (id, key, options) => start(database, id, key, options),
    settle: (id, key, settlement) => settle(database, id, key, settlement),
    release: (id, key, to) => release(database, id, key, to),
    retry: (id, key) => retry(database, id, key),
    acknowledge: async (id, client, through) => {
      await database.write(connection => {
        const collection = find(connection, id)
        if (collection) acknowledge(connection, collection, client, through)
      })
    },
    dropClient: async (id, client) => {
      await database.write(connection => {
        const collection = find(connection, id)
        if (collection) dropClient(connection, collection, client)
      })
    },
    outcomes: (id, client, page) => outcomes(database, id, client, page),
    entries: (id, keys) => entries(database, id, keys),
    queued: (id, page) => queued(database, id, page),
    undecided: page => undecided(database, page),
  }
}
