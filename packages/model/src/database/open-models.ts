import { SyncError } from '@godwit/protocol'
import { quote, type TableShape } from '../columns/table-shape.js'
import { blobAttributesOf } from '../definition/blob-names.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { readByOlder } from '../definition/older-definition.js'
import { ownersOf } from '../definition/owners.js'
import { ObservedQueries } from '../live/observed-queries.js'
import type { DeviceDatabase } from './database.js'
import { EntryNumbers } from './entry-numbers.js'
import { SCHEMAS, type SchemaName } from './files.js'
import { InvalidValueCounts } from './invalid-value-counts.js'
import { migrateTable, type OldRows } from './migrate-table.js'
import { ModelRows } from './model-rows.js'
import { makeIndexes, makeTable, shapeOf } from './model-tables.js'
import { ModelsToSend } from './models-to-send.js'
import { ScopeFile } from './scope-file.js'
import type { StateCell } from './source-states.js'
import { readDefinition, writeDefinition } from './stored-definition.js'
import type { StoredCopy } from './tables/copy-table.js'
import type { Tombstones } from './tables/id-tables.js'
import { TextIndex } from './text-index.js'

/** A defined model with its table and its partition's file. */
export interface OpenModel {
  readonly name: string
  /** The app's definition. */
  readonly definition: Definition
  /** The definition of the table. It differs from `definition` if a newer version of the app made the table. */
  readonly tableDefinition: Definition
  /** False if the app's definition is older and has parts that the table lacks. */
  readonly isWritable: boolean
  readonly shape: TableShape
  readonly rows: ModelRows
  /** Counts values from the server that do not match the declared types. */
  readonly invalidValues: InvalidValueCounts
  /** Undefined for a model without `textSearch`. */
  readonly text: TextIndex | undefined
  readonly scope: ScopeFile
  /** The sync state of its source. */
  readonly state: StateCell
  /** Objects that the running pass has removed. */
  readonly tombstones: Tombstones
  /** The copy through which the model is used; undefined for a source without `by`, and for all copies of one with it. */
  readonly copy?: StoredCopy
  /** The attributes that hold blobs. */
  readonly blobs: readonly AttributeDefinition[]
  readonly sourceId: number
  /** True if changes are sent to a server. */
  readonly synced: boolean
  /** True if only bulk data delivers its rows. */
  readonly isBulkOnly: boolean
  /** Throws `reload_needed` if another process has migrated the table meanwhile. */
  checkTable(): void
  /** `tableDefinition` as text, as stored in the file. */
  readonly storedDefinition: string
}

/** The result of `define`: the model and, for its migration, its previous definition and rows. */
export interface DefinedModel {
  readonly model: OpenModel
  /** The stored definition before this one, if it differs. */
  readonly before: Definition | undefined
  /** The rows before the migration, until they are dropped. */
  readonly old: OldRows | undefined
}

interface StoredModel {
  readonly schema: SchemaName
  readonly source_id: number
  readonly definition: string
}

const FIRST_SOURCE_ID = { user: 1, app: 20_001, local: 40_001 } as const

/** The models of an open device. */
export class OpenModels {
  readonly scopes: { readonly [Name in SchemaName]: ScopeFile }
  /** The live queries. */
  readonly live = new ObservedQueries()
  /** Tracks which models have local changes to send. */
  readonly outgoing = new ModelsToSend()
  readonly #database: DeviceDatabase
  readonly #models = new Map<string, OpenModel>()

  constructor(database: DeviceDatabase) {
    this.#database = database
    database.listen(this.outgoing)
    database.listen(this.live)
    const numbers = new EntryNumbers(database)
    const scope = (schema: SchemaName) => new ScopeFile(database, schema, numbers, this.outgoing)
    this.scopes = { user: scope('user'), app: scope('app'), local: scope('local') }
  }

  get(name: string): OpenModel | undefined {
    return this.#models.get(name)
  }

  all(): readonly OpenModel[] {
    return [...this.#models.values()]
  }

  allScopes(): readonly ScopeFile[] {
    return SCHEMAS.map(schema => this.scopes[schema])
  }

  /** Returns all models stored in a partition's file, including those that the app does not define. */
  stored(schema: SchemaName): readonly OpenModel[] {
    const rows = this.#database.prepare(`SELECT source_id, definition FROM ${quote(schema)}.model`).all()
    return rows.map(row => {
      const definition = readDefinition(row['definition'] as string)
      return this.#model(definition, row['source_id'] as number, row['definition'] as string)
    })
  }

  /** Returns the defined models whose ids an attribute holds; `object` holds those of the model itself. */
  owners(definition: Definition, attribute: string): readonly OpenModel[] {
    return ownersOf(definition, attribute).flatMap(name => this.#models.get(name) ?? [])
  }

  /** Returns the attributes of all models that hold ids of this model. */
  childrenOf(owner: string): readonly (readonly [child: OpenModel, attribute: string])[] {
    return this.all().flatMap(child =>
      [...child.definition.belongsTo]
        .filter(([, owners]) => owners.includes(owner))
        .map(([attribute]) => [child, attribute] as const),
    )
  }

  /** Creates or migrates the table, inside the caller's transaction. A definition with a lower schema version leaves the table unchanged. */
  define(given: Definition): DefinedModel {
    this.#checkName(given.name)
    const stored = this.#findStored(given.name)
    const before = stored && readDefinition(stored.definition)
    const definition = withKnownPartitions(given, before)
    if (stored && before && definition.schemaVersion < before.schemaVersion)
      return this.#openOlder(definition, before, stored)
    const text = writeDefinition(definition)
    if (!before) {
      this.#checkKept(definition)
      makeTable(this.#database, shapeOf(definition))
      makeIndexes(this.#database, definition)
    }
    const isOther = before !== undefined && stored?.definition !== text
    if (isOther) TextIndex.of(this.#database, before)?.drop()
    const old = isOther ? migrateTable(this.#database, before, definition) : undefined
    if (!before || isOther) TextIndex.of(this.#database, definition)?.make()
    else TextIndex.renew(this.#database, definition)
    if (isOther) this.live.touchAll(definition.name)
    const sourceId = this.#store(definition, text, stored)
    const model = this.#model(definition, sourceId, text)
    this.#keep(model)
    return { model, before: isOther ? before : undefined, old }
  }

  #openOlder(older: Definition, tableDefinition: Definition, stored: StoredModel): DefinedModel {
    const { definition, isWritable } = readByOlder(tableDefinition, older)
    if (definition.textSearch) TextIndex.renew(this.#database, definition)
    this.live.touchAll(definition.name)
    const model = this.#model(definition, stored.source_id, stored.definition, { tableDefinition, isWritable })
    this.#keep(model)
    return { model, before: undefined, old: undefined }
  }

  #keep(model: OpenModel): void {
    const known = this.#models.get(model.name)
    this.#models.set(model.name, model)
    this.#database.onRollback(() => {
      if (known) this.#models.set(model.name, known)
      else this.#models.delete(model.name)
    })
  }

  #model(
    definition: Definition,
    sourceId: number,
    storedDefinition: string,
    { tableDefinition, isWritable }: Pick<OpenModel, 'tableDefinition' | 'isWritable'> = {
      tableDefinition: definition,
      isWritable: true,
    },
  ): OpenModel {
    const text = TextIndex.of(this.#database, definition)
    const watch = this.live.watchOf(definition.name)
    const invalidValues = new InvalidValueCounts()
    const rows = new ModelRows(this.#database, shapeOf(tableDefinition), {
      watch,
      text,
      app: definition,
      onInvalidValue: invalidValues.count,
    })
    const scope = this.scopes[definition.partition]
    const { name } = definition
    return {
      name,
      storedDefinition,
      checkTable: () => {
        const known = this.#models.get(name)
        if (known && this.#findStored(name)?.definition !== known.storedDefinition) throw migratedMeanwhileError(name)
      },
      definition,
      tableDefinition,
      isWritable,
      shape: shapeOf(definition),
      rows,
      invalidValues,
      text,
      scope,
      state: scope.sources.of(name),
      tombstones: scope.tombstones(name),
      blobs: blobAttributesOf(tableDefinition),
      sourceId,
      synced: definition.syncType !== 'none',
      isBulkOnly: definition.syncType === 'bulk_only',
    }
  }

  // SQLite ignores the case of table names.
  #checkName(name: string): void {
    const duplicate = this.all().find(other => other.name !== name && other.name.toLowerCase() === name.toLowerCase())
    if (duplicate)
      throw new SyncError(
        'definition_invalid',
        `A model ${duplicate.name} exists: expected a name that differs by more than case, got ${name}.`,
      )
    if (name === '' || name.includes('\0') || /^sqlite_/i.test(name)) {
      throw new SyncError(
        'name_not_allowed',
        `expected a name of a model without NUL that does not begin with sqlite_, got ${JSON.stringify(name)}.`,
      )
    }
  }

  /** Throws if SQLite would not distinguish the model's table from a stored one, because the names differ only in case. */
  #checkKept({ name, partition, storage }: Definition): void {
    const kept = `SELECT name FROM ${quote(partition)}.model WHERE name = ? COLLATE NOCASE AND definition ->> '$.storage' = ?`
    const duplicate = this.#database.withStatement(kept, same => same.get(name, storage)?.['name'])
    if (duplicate !== undefined)
      throw new SyncError(
        'definition_invalid',
        `This device already has a model ${duplicate}: expected that name, or one that differs by more than case, got ${name}.`,
      )
  }

  #findStored(name: string): StoredModel | undefined {
    for (const schema of SCHEMAS) {
      const row = this.#database
        .prepare(`SELECT source_id, definition FROM ${quote(schema)}.model WHERE name = ?`)
        .get(name)
      if (row) return { schema, source_id: row['source_id'] as number, definition: row['definition'] as string }
    }
    return undefined
  }

  #store({ name, partition }: Definition, text: string, stored: StoredModel | undefined): number {
    if (stored?.schema === partition && stored.definition === text) return stored.source_id
    const table = `${quote(partition)}.model`
    const next = this.#database.prepare(`SELECT max(source_id) + 1 AS next FROM ${table}`).get()?.['next'] as
      | number
      | null
    const id = stored?.schema === partition ? stored.source_id : (next ?? FIRST_SOURCE_ID[partition])
    if (stored && stored.schema !== partition)
      this.#database.prepare(`DELETE FROM ${quote(stored.schema)}.model WHERE name = ?`).run(name)
    this.#database
      .prepare(
        `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET definition = excluded.definition`,
      )
      .run(name, id, text)
    return id
  }
}

/** Untyped models cannot declare `by`: it follows from the first subscription, and stays. */
const withKnownPartitions = (definition: Definition, before: Definition | undefined): Definition =>
  before?.by && !definition.typed && !definition.by && definition.syncType === 'incremental'
    ? { ...definition, by: before.by }
    : definition

const migratedMeanwhileError = (name: string): SyncError =>
  new SyncError(
    'reload_needed',
    `Another process has migrated ${name}, so this one cannot store its rows. Open the device again, preferably with the newer version of the app.`,
  )
