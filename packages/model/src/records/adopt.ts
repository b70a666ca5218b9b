import type { ObjectId } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { ScopeFile } from '../database/scope-file.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import type { Definition } from '../definition/definition.js'
import { addCreate, nextEntry } from '../outbox/add.js'
import { type ObjectState, serverRowOf, storeState } from '../outbox/object-state.js'

/** Adapts the sync state of a model's rows to its new definition after a migration, inside the caller's transaction. */
export function adopt(database: DeviceDatabase, models: OpenModels, model: OpenModel, before: Definition): void {
  const wasSynced = before.syncType !== 'none'
  if (wasSynced && !model.synced) stay(models, model, before)
  else if (wasSynced && before.partition !== model.definition.partition) move(models, model, before)
  else if (wasSynced && hasNewAttributes(before, model.definition)) model.state.voidToken()
  if (wasSynced && model.synced && isRepartitioned(before, model.definition)) repartition(models, model, before)
  if (before.partition !== model.definition.partition) carry(models, model, before)
  if (!wasSynced && model.synced) sendAll(database, models, model)
}

const isRepartitioned = (before: Definition, now: Definition): boolean =>
  JSON.stringify(before.by ?? []) !== JSON.stringify(now.by ?? [])

/** Starts a source over whose partitions are named otherwise. Undecided changes stay, and are sent to where their objects belong now. */
function repartition(models: OpenModels, model: OpenModel, { name, partition }: Definition): void {
  const { scope, rows, state } = model
  scope.outbox.startOver(name, { isSameEpoch: false })
  rows.clearUnchanged()
  state.clear()
  const old = models.scopes[partition]
  for (const entry of scope.outbox.ofModel(name)) old.routes.remove(entry.entry)
  old.memberships.clear(name)
  old.leads.clear(name)
  for (const { id } of old.copies.of(name)) old.copyTombstones(id).clear()
  old.copies.clear(name)
  old.subscriptions.clear(name)
}

/** Returns true if attributes were added. Their values from the server were not stored, so all rows have to be loaded again. */
const hasNewAttributes = (before: Definition, now: Definition): boolean =>
  (before.freezed && !now.freezed) ||
  (now.freezed && [...now.attributes.keys()].some(name => !before.attributes.has(name)))

/** Makes a formerly synced model local: keeps the visible rows, and drops the undecided changes and the position of the last pull. */
function stay(models: OpenModels, { rows }: OpenModel, before: Definition): void {
  rows.forgetEntries()
  clear(models, before)
  models.scopes[before.partition].sources.clear(before.name, { keepsNumbers: true })
}

function clear(models: OpenModels, { name, partition }: Definition): void {
  const { outbox, named } = models.scopes[partition]
  outbox.clear(name)
  models.scopes[partition].tombstones(name).clear()
  named.purge()
}

/**
 * Moves the source's state and links to another partition's file. It is the same source on the server, so mutation numbers continue; the next pass
 * starts from zero.
 */
function carry(models: OpenModels, { name, scope }: OpenModel, before: Definition): void {
  const { sources: old, links } = models.scopes[before.partition]
  for (const link of links.of(name)) scope.links.add(link)
  links.clear(name)
  const state = old.get(name)
  scope.sources.set(name, { ...state, token: null, sync: scope.sources.get(name).sync + 1 })
  old.clear(name)
}

/** Moves undecided changes to the other file, unchanged. */
function move(models: OpenModels, model: OpenModel, before: Definition): void {
  const old = models.scopes[before.partition]
  model.rows.forgetEntries()
  const standings = new Map<ObjectId, ObjectState>()
  for (const entry of old.outbox.ofModel(model.name)) {
    const { serverRow, entries } = standings.get(entry.object) ?? {
      serverRow: serverRowOf([entry], model.rows.get(entry.object)?.attributes),
      entries: [],
    }
    standings.set(entry.object, { serverRow, entries: [...entries, moveEntry(model, old, entry)] })
  }
  for (const [object, standing] of standings) storeState(model, object, standing)
  clear(models, before)
}

function moveEntry(model: OpenModel, { named }: ScopeFile, entry: OutboxEntry): OutboxEntry {
  const { outbox, named: names } = model.scope
  const { number, key, state, whole, sent } = entry
  const added = nextEntry(model)
  outbox.add({ ...entry, entry: added, serverRow: null })
  outbox.change(added, { number, key, state, whole, sent })
  for (const { owner, object } of named.of(entry.entry)) names.add({ owner, object, entry: added })
  return { ...entry, entry: added }
}

/** Adds all rows of a formerly local model to the outbox, except unchanged rows that came from the server. */
function sendAll(database: DeviceDatabase, models: OpenModels, model: OpenModel): void {
  for (const [object] of database.prepare(`SELECT object FROM ${model.shape.table} ORDER BY seq`).arrays()) {
    const row = model.rows.get(object as string)
    if (!row || row.version > 0 || row.pass !== 0) continue
    const entry = nextEntry(model)
    model.rows.update(object as string, { ...row, entry })
    addCreate({ models, model, object: object as string }, row.attributes, entry, false)
  }
  // A local model keeps no checksum of the server's rows.
  model.rows.voidVersions()
}
