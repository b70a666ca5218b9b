import type { Collections, Store } from '@godwit/store'
import { redisAudit } from './audit.js'
import { redisBlobs } from './blobs.js'
import { clear } from './clear.js'
import { advance, cursor } from './collections/advance.js'
import { apply } from './collections/apply.js'
import { changes } from './collections/changes.js'
import { compact } from './collections/compact.js'
import { drop } from './collections/drop.js'
import { head, open } from './collections/head.js'
import { forgetHistory, history } from './collections/history.js'
import { collections } from './collections/names.js'
import { page } from './collections/page.js'
import { withPendingRemovals } from './collections/pending-removals.js'
import { get, list, look } from './collections/read.js'
import { dropReader, readers, recordReader } from './collections/readers.js'
import { replace } from './collections/replace.js'
import { acceptRemovals, recordFailure, requestQuery, versionAt } from './collections/schedule.js'
import { RedisConnection, type RedisStoreOptions } from './connection.js'
import { redisCounters } from './counters.js'
import { redisDocuments } from './documents.js'
import { redisEvents } from './events.js'
import { Gate } from './gate.js'
import { redisJournal } from './journal/journal.js'
import { redisLeases } from './leases.js'
import { measure } from './measure.js'
import type { RedisHandle } from './redis-handle.js'
import { redisRegistry } from './registry.js'
import { redisSeries } from './series.js'

/** A store over a connected Redis. `close` also closes the connection. */
export function redisStore(handle: RedisHandle, options: RedisStoreOptions = {}): Store {
  const connection = new RedisConnection(handle, options)
  const gate = new Gate()
  return {
    collections: gate.guard(redisCollections(connection)),
    journal: gate.guard(redisJournal(connection)),
    documents: gate.guard(redisDocuments(connection)),
    blobs: gate.guard(redisBlobs(connection)),
    registry: gate.guard(redisRegistry(connection)),
    leases: gate.guard(redisLeases(connection)),
    counters: gate.guard(redisCounters(connection)),
    events: gate.guard(redisEvents(connection)),
    series: gate.guard(redisSeries(connection)),
    audit: gate.guard(redisAudit(connection)),
    ...gate.guard(lifecycle(connection)),
    close: async () => {
      if (await gate.close()) await handle.close()
    },
  }
}

function redisCollections(connection: RedisConnection): Collections {
  return {
    open: id => open(connection, id),
    head: id => head(connection, id),
    apply: (id, batch, options) => apply(connection, id, batch, options),
    replace: (id, parts, replacing) => replace(connection, id, { parts, options: replacing }),
    advance: (id, batch, advancing) => advance(connection, id, { batch, options: advancing }),
    cursor: id => cursor(connection, id),
    changes: (id, from) => changes(connection, id, from),
    page: (id, options) => page(connection, id, options),
    get: (id, ids) => get(connection, id, ids),
    look: (id, object) => look(connection, id, object),
    history: (id, object, { limit }) => history(connection, id, { id: object, limit }),
    list: (id, page) => list(connection, id, page),
    versionAt: (id, time) => versionAt(connection, id, time),
    requestQuery: (id, at) => requestQuery(connection, id, at),
    acceptRemovals: id => acceptRemovals(connection, id),
    recordFailure: (id, failure) => recordFailure(connection, id, failure),
    recordReader: (id, reader, base) => recordReader(connection, id, reader, base),
    readers: id => readers(connection, id),
    dropReader: (id, reader) => dropReader(connection, id, reader),
    compact: (id, to) => compact(connection, id, to),
    forgetHistory: id => forgetHistory(connection, id),
    drop: id => drop(connection, id),
    withPendingRemovals: page => withPendingRemovals(connection, page),
    collections: some => collections(connection, some),
  }
}

const lifecycle = (connection: RedisConnection): Pick<Store, 'check' | 'now' | 'measure' | 'clear'> => ({
  check: () => connection.check(),
  now: () => connection.now(),
  measure: () => measure(connection),
  clear: ({ keep } = {}) => clear(connection, keep),
})
