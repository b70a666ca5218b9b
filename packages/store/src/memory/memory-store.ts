import { SyncError } from '@godwit/protocol'
import type { Leases } from '../leases.js'
import { MAX_COUNTED, type Measures } from '../measures.js'
import type { Store, StoreOptions } from '../store.js'
import { memoryAudit } from './audit.js'
import { memoryBlobs } from './blobs.js'
import { memoryCollections } from './collections.js'
import { memoryCounters } from './counters.js'
import { memoryDocuments } from './documents.js'
import { memoryEvents } from './events.js'
import { memoryJournal } from './journal.js'
import { LeaseTable } from './lease-table.js'
import type { MemoryState } from './memory-state.js'
import { memoryRegistry } from './registry.js'
import { memorySeries } from './series.js'

/** The reference store: everything is in memory, and lost with the process. */
export function openMemoryStore({ clock = Date.now, randomId = random128 }: StoreOptions = {}): Store {
  const world: MemoryState = { clock, randomId, leases: new LeaseTable(clock), collections: new Map() }
  const documents = memoryDocuments()
  const blobs = memoryBlobs(clock)
  const counters = memoryCounters(clock)
  const registry = memoryRegistry(clock)
  const events = memoryEvents()
  const series = memorySeries(clock)
  let isOpen = true
  const check = () => {
    if (!isOpen) throw new SyncError('store_unavailable', 'The store is closed. Open it again.', { retryable: false })
  }
  return {
    collections: guard(memoryCollections(world), check),
    journal: guard(memoryJournal(world), check),
    documents: guard(documents, check),
    blobs: guard(blobs, check),
    registry: guard(registry, check),
    leases: guard(memoryLeases(world), check),
    counters: guard(counters, check),
    events: guard(events, check),
    series: guard(series, check),
    audit: guard(memoryAudit(), check),
    check: async () => check(),
    now: async () => {
      check()
      return clock()
    },
    measure: async () => {
      check()
      return measure(world)
    },
    clear: async ({ keep = [] } = {}) => {
      check()
      world.collections.clear()
      world.leases.clear()
      counters.clear()
      documents.clear()
      series.clear()
      blobs.clear()
      registry.clear(keep)
    },
    close: async () => {
      isOpen = false
      events.clear()
    },
  }
}

function random128(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

function measure({ collections }: MemoryState): Measures {
  const undecided = { queued: 0, started: 0, in_doubt: 0 }
  let counted = 0
  for (const { journal } of collections.values()) {
    for (const { state } of journal.undecided) {
      if (counted === MAX_COUNTED) return { bytes: undefined, replicas: undefined, undecided }
      if (state === 'decided') continue
      undecided[state]++
      counted++
    }
  }
  return { bytes: undefined, replicas: undefined, undecided }
}

function memoryLeases({ leases }: MemoryState): Leases {
  return {
    acquire: async (name, { holder, milliseconds }) => leases.grant(name, holder, milliseconds),
    renew: async (lease, milliseconds) => leases.prolong(lease, milliseconds),
    release: async lease => leases.end(lease),
  }
}

type StoreMethod = (...given: never[]) => unknown

/** Wraps a capability so that each call first runs `check`, and rejects with its error. */
function guard<Capability extends object>(capability: Capability, check: () => void): Capability {
  const methods = Object.entries(capability).map(([name, method]) => [
    name,
    async (...given: never[]) => {
      check()
      return (method as StoreMethod)(...given)
    },
  ])
  return Object.fromEntries(methods) as Capability
}
