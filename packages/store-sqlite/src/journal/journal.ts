import type { Journal } from '@godwit/store'
import { BatchedCalls } from '../batched-calls.js'
import { find } from '../collections/head.js'
import type { Database } from '../database.js'
import { accept } from './accept.js'
import { acknowledge } from './acknowledge.js'
import { dropClient } from './clients.js'
import { entries, listQueued, listUndecided, outcomes } from './list-entries.js'
import { release, retry } from './release.js'
import { type SettleRequest, settle } from './settle.js'
import { type StartRequest, start } from './start.js'

export function sqliteJournal(database: Database): Journal {
  const starting = new BatchedCalls((id, all: readonly StartRequest[]) =>
    database.writeFlushed(on => start(database, on, id, all)),
  )
  const startingEarly = new BatchedCalls((id, all: readonly StartRequest[]) =>
    database.writeEarly(on => start(database, on, id, all)),
  )
  const settling = new BatchedCalls((id, all: readonly SettleRequest[]) =>
    database.write(on => settle(database, on, id, all)),
  )
  return {
    accept: (id, acceptance) => accept(database, id, acceptance),
    flush: () => database.flush(),
    start: (id, key, { milliseconds, durable }) => (durable ? starting : startingEarly).ask(id, { key, milliseconds }),
    settle: (id, key, settlement) => settling.ask(id, { key, settlement }),
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
    queued: (id, page) => listQueued(database, id, page),
    undecided: page => listUndecided(database, page),
  }
}
