import { MAX_MUTATIONS, MAX_PUSH_BYTES, type Mutation } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { IdReference } from '../database/tables/id-tables.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { mergeAttributes, NO_ATTRIBUTES } from '../definition/attribute-values.js'
import { hashesIn, namesOfBlobs } from '../definition/blob-names.js'
import { createOf, serverRowIn, stateOf } from './object-state.js'
import { overlay } from './overlay.js'
import { seenValues } from './seen-values.js'

/** The mutations of one request, and entries that are too large for any request. */
export interface TakenEntries {
  readonly mutations: readonly Mutation[]
  /** Entries too large for any request. */
  readonly tooLarge: readonly OutboxEntry[]
}

export interface TakeOptions {
  /** Returns a new random key. */
  readonly newKey: () => string
  /** Returns true if all blobs of an entry are on the server. Default: always true. */
  readonly isReady?: (entry: OutboxEntry) => boolean
  /** Largest request in bytes. */
  readonly bytes?: number
  readonly mutations?: number
  /** Hashes of blobs that this device cannot send. */
  readonly lostBlobs?: ReadonlySet<string>
  /** Whether an entry is sent to the copy of the request. Default: there are no copies. */
  readonly isHere?: (entry: OutboxEntry) => boolean
  /** Accepted entries to send again, to get their outcomes. */
  readonly again?: readonly OutboxEntry[]
}

const ENTRIES_PER_PAGE = 500

/**
 * Selects the entries of the next request: first those already sent without a response, unchanged, then unsent ones in order. This fixes their
 * number, key and content; the caller commits durably before sending.
 */
export function take(models: OpenModels, model: OpenModel, options: TakeOptions): TakenEntries {
  const limit = { bytes: options.bytes ?? MAX_PUSH_BYTES - 1024, mutations: options.mutations ?? MAX_MUTATIONS }
  const utf8 = new TextEncoder()
  const mutations: Mutation[] = []
  const tooLarge: OutboxEntry[] = []
  let bytes = 0
  for (const found of inOrder(models, model, options)) {
    const entry = asSeenHere(model, found)
    const mutation = mutationOf(models, model, entry, options.lostBlobs)
    const size = utf8.encode(JSON.stringify(mutation)).length + 64
    if (size > limit.bytes && entry.number === null) {
      tooLarge.push(entry)
      continue
    }
    if (mutations.length > 0 && (bytes + size > limit.bytes || mutations.length === limit.mutations)) break
    bytes += size
    mutations.push(entry.number === null ? fix(model, entry, mutation, options.newKey) : mutation)
  }
  return { mutations, tooLarge }
}

/** Returns true if there is anything to send, ignoring missing blobs. */
export const canTake = (models: OpenModels, model: OpenModel, options: Pick<TakeOptions, 'isHere'> = {}): boolean =>
  model.scope.outbox.hasToSend(model.name) &&
  inOrder(models, model, { ...options, newKey: () => '' }).next().done === false

/** The version that the model's copy has when an entry is first taken; versions of two copies are never compared. */
function asSeenHere(model: OpenModel, entry: OutboxEntry): OutboxEntry {
  if (!model.copy || entry.key !== null || entry.operation === 'create') return entry
  const version = serverRowIn(model, entry.object)?.version ?? 0
  return { ...entry, seen: version > 0 ? version : null }
}

function* inOrder(
  models: OpenModels,
  model: OpenModel,
  { again = [], isReady = () => true, isHere = () => true }: TakeOptions,
): Generator<OutboxEntry> {
  const taken = [...again, ...pages(model, 'taken')].filter(isHere)
  yield* taken.sort((one, other) => (one.number ?? 0) - (other.number ?? 0))
  for (const entry of pages(model, 'unsent')) {
    if (entry.first === null && isReady(entry) && isHere(entry) && ownersAreOnTheirWay(models, model, entry))
      yield entry
  }
}

function* pages(model: OpenModel, state: 'taken' | 'unsent'): Generator<OutboxEntry> {
  for (let after = 0; ; ) {
    const page = model.scope.outbox.inState(model.name, state, { after, limit: ENTRIES_PER_PAGE })
    yield* page
    if (page.length < ENTRIES_PER_PAGE) return
    after = page.at(-1)?.entry as number
  }
}

/** Returns true if every owner's create is decided or, within the same source, in this request or an earlier one. */
function ownersAreOnTheirWay(models: OpenModels, model: OpenModel, entry: OutboxEntry): boolean {
  return model.scope.named.of(entry.entry).every(({ owner, object }) => {
    const known = models.get(owner)
    if (!known) return !waitsElsewhere(models, model, { owner, object })
    const create = createOf(known, object)
    if (!create || create.entry === entry.entry) return true
    return owner === model.name && create.number !== null && isInSameCopy(model, create)
  })
}

/** Owners are listed only for creates in the same numbering; the device waits for others. */
const isInSameCopy = ({ copy, scope }: OpenModel, create: OutboxEntry): boolean =>
  !copy || scope.routes.get(create.entry)?.copy === copy.id

/** Returns true if the owner's create must be sent by another version of the app, because this one does not define its model. */
const waitsElsewhere = (
  models: OpenModels,
  { definition }: OpenModel,
  { owner, object }: Omit<IdReference, 'entry'>,
): boolean =>
  [...definition.belongsTo.values()].flat().includes(owner) &&
  models.allScopes().some(({ outbox }) => outbox.makes(owner, object))

function fix(model: OpenModel, entry: OutboxEntry, mutation: Mutation, newKey: () => string): Mutation {
  const { outbox } = model.scope
  const number = model.state.get().next
  const key = entry.key ?? newKey()
  const whole = mutation.changed ? (mutation.attributes ?? null) : entry.whole
  model.state.change({ next: number + 1 })
  outbox.change(entry.entry, { number, key, state: 'taken', whole, ...(model.copy && { seen: entry.seen }) })
  if (model.copy) setRoute(model, entry.entry, model.copy.id)
  return { ...mutation, number, key }
}

/** From now on, the entry is in the numbering of this copy. */
function setRoute({ scope: { routes } }: OpenModel, entry: number, copy: number): void {
  routes.set(entry, { copy, tries: routes.get(entry)?.tries ?? 0 })
}

/** Converts an entry to a mutation. `fix` sets the number and key of a new one. */
function mutationOf(
  models: OpenModels,
  model: OpenModel,
  entry: OutboxEntry,
  lostBlobs?: ReadonlySet<string>,
): Mutation {
  const { operation, object, attributes, was, seen } = entry
  const owners = ownersOf(models, model, entry)
  const blobs = operation === 'delete' ? [] : namesOfBlobs(model.blobs, attributes)
  const isLost = hashesIn(model.blobs, attributes).some(hash => lostBlobs?.has(hash))
  const whole =
    operation === 'update' && model.definition.fullUpdate ? (entry.whole ?? wholeOf(model, entry)) : entry.whole
  return {
    number: entry.number ?? 0,
    key: entry.key ?? '',
    operation,
    object,
    ...(operation !== 'delete' && { attributes: whole ?? attributes }),
    ...(operation !== 'create' && seenValues(was, model.definition.belongsTo)),
    ...(whole && { changed: Object.keys(attributes) }),
    ...(seen !== null && { seen }),
    ...(owners.length > 0 && { owners }),
    ...((entry.sent || entry.state === 'accepted' || entry.state === 'doubt') && { sent: true }),
    ...(blobs.length > 0 && { blobs }),
    ...(isLost && { blobs_lost: true }),
  }
}

/**
 * Returns the owners to list in a mutation. A sent mutation keeps them until they are linked, so that the server can tell a refused from an unknown
 * owner.
 */
const ownersOf = (models: OpenModels, model: OpenModel, entry: OutboxEntry): readonly string[] =>
  model.scope.named
    .of(entry.entry)
    .filter(({ owner, object }) => owner === model.name && object !== entry.object)
    .filter(({ owner, object }) => entry.key !== null || createOf(models.get(owner), object) !== undefined)
    .map(({ object }) => object)

/** Returns all attributes as the app saw them after this change, with `null` for removed ones. */
function wholeOf(model: OpenModel, entry: OutboxEntry) {
  const { serverRow } = stateOf(model, entry.object)
  const state = overlay(serverRow?.attributes ?? NO_ATTRIBUTES, [entry]) ?? NO_ATTRIBUTES
  const removed = Object.keys(entry.attributes).filter(attribute => entry.attributes[attribute] === null)
  return Object.assign(
    mergeAttributes(NO_ATTRIBUTES, state),
    Object.fromEntries(removed.map(attribute => [attribute, null])),
  )
}
