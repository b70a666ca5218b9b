import { isFromClockAhead } from '../clock-ahead.js'
import type { CollectionId } from '../collections.js'
import { obstacle, storedMutation, takeUpTo } from '../history/index.js'
import type { Journal, JournalEntry, Start, StartedMutation, UndecidedCursor } from '../journal.js'
import { accept } from './accept.js'
import { type BookEntry, toJournalEntry } from './journal-book.js'
import type { MemoryCollection } from './memory-collection.js'
import { compareCollections, find, inOrder, type MemoryState } from './memory-state.js'
import { doubt, settle } from './settle.js'

export function memoryJournal(world: MemoryState): Journal {
  return { ...acceptMethods(world), ...decisionMethods(world), ...readMethods(world) }
}

const acceptMethods = (world: MemoryState): Pick<Journal, 'accept' | 'flush' | 'start'> => ({
  accept: async (id, given) => {
    const collection = find(world, id)
    const acceptance = { ...given, mutations: structuredClone(given.mutations).map(storedMutation) }
    return collection ? accept(collection, acceptance) : { refused: 'epoch', epoch: '' }
  },
  flush: async () => {},
  start: async (id, key, options) => {
    const found = locate(world, id, key)
    if (!found) return { refused: 'state' }
    const refused = obstacle(found.entry, {
      createOf: temporary => found.collection.journal.createOf(temporary),
      objectIsBusy: objectIsBusy(found.collection, found.entry),
      retryAt: retryAtOf(found.entry, world.clock()),
      now: world.clock(),
    })
    return refused ? { refused } : start(world, found, options)
  },
})

function objectIsBusy({ journal }: MemoryCollection, { client, mutation }: BookEntry): boolean {
  for (const other of journal.undecided) {
    if (other.mutation.object !== mutation.object || other.mutation.key === mutation.key) continue
    if (other.state === 'started' || (other.client === client && other.mutation.number < mutation.number)) return true
  }
  return false
}

function start(world: MemoryState, { collection, entry }: LocatedEntry, { milliseconds }: Start): StartedMutation {
  entry.first ??= { before: collection.present(entry.mutation.object), version: collection.version }
  entry.state = 'started'
  entry.attempts++
  entry.fence = world.leases.nextFence()
  entry.waitsSince = world.clock()
  entry.startedUntil = entry.waitsSince + milliseconds
  return {
    entry: toJournalEntry(entry, collection.id),
    epoch: collection.epoch,
    fence: entry.fence,
    before: entry.first.before,
  }
}

const decisionMethods = (
  world: MemoryState,
): Pick<Journal, 'settle' | 'release' | 'retry' | 'acknowledge' | 'dropClient'> => ({
  settle: async (id, key, settlement) => {
    if (find(world, id)?.epoch !== settlement.epoch) return { refused: 'epoch' }
    const found = locate(world, id, key)
    return (found && settle(found.collection, found.entry, settlement)) ?? { refused: 'state' }
  },
  release: async (id, key, { fence, to, retryIn, error }) => {
    const found = locate(world, id, key)
    if (found?.entry.state !== 'started' || found.entry.fence !== fence) return { refused: 'state' }
    found.entry.state = 'queued'
    found.entry.waitsSince = world.clock()
    found.entry.retryAt = retryIn === undefined ? undefined : found.entry.waitsSince + retryIn
    if (to === 'queued') return { released: to }
    doubt(found.collection, found.entry, error)
    return { released: to, queryRequest: found.collection.queriesRequested }
  },
  retry: async (id, key) => {
    const found = locate(world, id, key)
    if (found?.entry.state !== 'in_doubt') return { refused: 'state' }
    found.collection.journal.takeOutcome(found.entry)
    found.entry.state = 'queued'
    found.entry.retryAt = undefined
    return 'released'
  },
  acknowledge: async (id, client, through) => find(world, id)?.journal.acknowledge(client, through),
  dropClient: async (id, client) => find(world, id)?.journal.dropClient(client),
})

const readMethods = (world: MemoryState): Pick<Journal, 'outcomes' | 'queued' | 'entries' | 'undecided'> => ({
  outcomes: async (id, client, { after, limit }) =>
    find(world, id)?.journal.outcomes(client, after, limit) ?? { outcomes: [], last: 0, more: limit === 0 },
  queued: async (id, { client, after = 0, limit }) =>
    takeEntries(
      undecidedOf(find(world, id))
        .filter(entry => entry.state === 'queued' && (retryAtOf(entry, world.clock()) ?? 0) <= world.clock())
        .filter(entry => (client === undefined || entry.client === client) && entry.sequence > after)
        .map(entry => toJournalEntry(entry, id)),
      limit,
    ),
  entries: async (id, keys) =>
    keys.flatMap(key => locate(world, id, key)?.entry ?? []).map(entry => toJournalEntry(entry, id)),
  undecided: async ({ state, after, limit }) =>
    takeEntries(
      inOrder(world)
        .flatMap(collection =>
          undecidedOf(collection)
            .filter(entry => entry.state === state && (state !== 'started' || isExpired(entry, world.clock())))
            .map(entry => ({ ...toJournalEntry(entry, collection.id), fence: entry.fence })),
        )
        .filter(entry => !after || isBehind(entry, after)),
      limit,
    ),
})

const takeEntries = <Entry extends JournalEntry>(entries: readonly Entry[], limit: number): readonly Entry[] =>
  takeUpTo(entries, limit, ({ mutation }) => Buffer.byteLength(JSON.stringify(mutation))).taken

const retryAtOf = ({ retryAt, waitsSince }: BookEntry, now: number): number | undefined =>
  isFromClockAhead(waitsSince, now) ? undefined : retryAt

const isExpired = ({ startedUntil, waitsSince }: BookEntry, now: number): boolean =>
  startedUntil <= now || isFromClockAhead(waitsSince, now)

const undecidedOf = (collection: MemoryCollection | undefined): readonly BookEntry[] => [
  ...(collection?.journal.undecided ?? []),
]

function isBehind(entry: JournalEntry, after: UndecidedCursor): boolean {
  return (compareCollections(entry.collection, after.collection) || entry.sequence - after.sequence) > 0
}

interface LocatedEntry {
  readonly collection: MemoryCollection
  readonly entry: BookEntry
}

function locate(world: MemoryState, id: CollectionId, key: string): LocatedEntry | undefined {
  const collection = find(world, id)
  const entry = collection?.journal.entries.get(key.toWellFormed())
  return collection && entry && { collection, entry }
}
