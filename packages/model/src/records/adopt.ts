import type { Database } from '../database/database.js'
import type { Model, Models } from '../database/models.js'
import { NEW_SOURCE } from '../database/source-states.js'
import type { Definition } from '../definition/definition.js'
import { addCreate } from '../outbox/add.js'

/** After a migration: what the rows of a model mean to sync follows its new definition. Inside the caller's transaction. */
export function adopt(database: Database, models: Models, model: Model, before: Definition): void {
  const wasSynced = before.syncType !== 'none'
  if (wasSynced && !model.synced) forget(models, before)
  else if (wasSynced && before.partition !== model.definition.partition) move(models, model, before)
  else if (wasSynced && hasNewAttributes(before, model.definition)) voidToken(model)
  if (!wasSynced && model.synced) sendAll(database, models, model)
}

/** What the server sent of attributes that were not declared then was skipped: it has to come again. */
const hasNewAttributes = (before: Definition, now: Definition): boolean =>
  (before.freezed && !now.freezed) ||
  (now.freezed && [...now.attributes.keys()].some(name => !before.attributes.has(name)))

function voidToken({ partition, name }: Model): void {
  const { sync } = partition.sources.get(name)
  partition.sources.change(name, { token: null, sync: sync + 1 })
}

function forget(models: Models, { name, partition }: Definition): void {
  const { outbox, beneath, removed, named, sources } = models.partitions[partition]
  outbox.clear(name)
  beneath.clear(name)
  removed.clear(name)
  named.purge()
  sources.set(name, { ...NEW_SOURCE, sync: sources.get(name).sync + 1 })
}

/** Undecided changes go along into the other file; there the source begins anew. */
function move(models: Models, model: Model, before: Definition): void {
  const old = models.partitions[before.partition]
  for (const object of old.outbox.objects(model.name)) {
    const row = old.beneath.get(model.name, object)
    if (row) model.partition.beneath.put(model.name, object, { ...row, version: 0 })
    for (const entry of old.outbox.of(model.name, object)) {
      model.partition.outbox.add({ ...entry, seen: null })
      const added = model.partition.outbox.last()
      model.partition.outbox.change(added, { key: entry.key, whole: entry.whole, sent: entry.key !== null })
      for (const { owner, object: named } of old.named.of(entry.entry))
        model.partition.named.add({ owner, object: named, entry: added })
    }
  }
  model.rows.voidVersions()
  forget(models, before)
}

/** Rows of a model that was local until now were never sent. */
function sendAll(database: Database, models: Models, model: Model): void {
  for (const [object] of database.prepare(`SELECT object FROM ${model.shape.table} ORDER BY seq`).arrays()) {
    const row = model.rows.get(object as string)
    if (row) addCreate({ models, model, object: object as string }, row.attributes, false)
  }
}
