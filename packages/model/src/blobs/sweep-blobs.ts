import type { DeviceDatabase } from '../database/database.js'
import { SCHEMAS } from '../database/files.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { NO_ATTRIBUTES } from '../definition/attribute-values.js'
import { BLOB_FOLDER, blobAttributesOf, hashesIn } from '../definition/blob-names.js'
import type { DeviceFiles } from '../platform/device-files.js'
import type { SyncContext } from '../run/sync-context.js'

export interface SweepOptions {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly files: DeviceFiles
}

/** Milliseconds between comparisons of files and rows, whose cost grows with the number of rows. */
const SWEEP_INTERVAL_MS = 10 * 60_000

/** Whether this run compares the files with the rows that name them. */
export const isSweepDue = ({ swept, now }: Pick<SyncContext, 'swept' | 'now'>): boolean =>
  Date.parse(now()) - swept.at >= SWEEP_INTERVAL_MS

/** Minimum age in milliseconds before a file is removed: another process may still be writing the row that refers to it. */
const GRACE_MS = 60_000

/** Removes blob files that no row, change, refusal or replaced value refers to. Its cost grows with the rows of models that have blobs. */
export async function sweepBlobs({ database, models, files }: SweepOptions): Promise<void> {
  const old = (await files.list(BLOB_FOLDER)).filter(({ age }) => age >= GRACE_MS)
  if (old.length === 0) return
  const named = database.transaction(() => namedBlobs(models))
  const hashOf = (name: string): string => name.slice(BLOB_FOLDER.length + 1).replace(/\.part$/, '')
  // All removals start before other code runs, which could write a row that refers to one of these files.
  await Promise.all(old.filter(({ name }) => !named.has(hashOf(name))).map(({ name }) => files.remove(name)))
}

function namedBlobs(models: OpenModels): ReadonlySet<string> {
  const named = new Set<string>()
  const add = (hashes: readonly string[]): void => {
    for (const hash of hashes) named.add(hash)
  }
  for (const schema of SCHEMAS) {
    const stored = models.stored(schema).filter(({ blobs }) => blobs.length > 0)
    for (const model of stored) {
      model.scope.blobs.own.removeOthers(model.name, model.shape.table)
      for (const { name } of model.blobs) add(model.rows.valuesOf(name))
      for (const attributes of undecidedAttributes(model)) add(hashesIn(model.blobs, attributes))
    }
    add(models.scopes[schema].blobs.own.hashes())
    add(models.scopes[schema].blobs.wanted.hashes())
  }
  return named
}

function* undecidedAttributes({ name, definition, scope }: OpenModel) {
  const blobs = blobAttributesOf(definition)
  if (blobs.length === 0) return
  for (const { attributes, was, serverRow } of scope.outbox.ofModel(name))
    yield* [attributes, was, serverRow?.attributes ?? NO_ATTRIBUTES]
  for (const { model, attributes, was } of scope.refusals.list()) if (model === name) yield* [attributes, was]
  for (const { model, overwrote } of scope.overwritten.list()) if (model === name) yield overwrote
}
