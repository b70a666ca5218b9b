import type { DeviceDatabase } from './database.js'
import type { EntryNumbers } from './entry-numbers.js'
import type { SchemaName } from './files.js'
import type { ModelsToSend } from './models-to-send.js'
import { SettingsTable } from './settings-table.js'
import { SourceStates } from './source-states.js'
import { BlobTables } from './tables/blob-tables.js'
import { LinkTable, NamedTable, RemovedTable } from './tables/id-tables.js'
import { OutboxServerRows } from './tables/outbox-server-rows.js'
import { OutboxTable } from './tables/outbox-table.js'
import { OverwrittenTable } from './tables/overwritten-table.js'
import { RefusalTable } from './tables/refusal-table.js'

/** The tables of a partition's file, which contains all data of its models. */
export class ScopeFile {
  readonly schema: SchemaName
  readonly settings: SettingsTable
  readonly sources: SourceStates
  readonly outbox: OutboxTable
  readonly serverRows: OutboxServerRows
  readonly links: LinkTable
  readonly named: NamedTable
  readonly removed: RemovedTable
  readonly refusals: RefusalTable
  readonly overwritten: OverwrittenTable
  readonly blobs: BlobTables

  constructor(database: DeviceDatabase, schema: SchemaName, numbers: EntryNumbers, outgoing: ModelsToSend) {
    this.schema = schema
    this.settings = new SettingsTable(database, schema)
    this.sources = new SourceStates(database, schema)
    this.outbox = new OutboxTable(database, schema, numbers, outgoing)
    this.serverRows = new OutboxServerRows(database, schema)
    this.links = new LinkTable(database, schema)
    this.named = new NamedTable(database, schema)
    this.removed = new RemovedTable(database, schema)
    this.refusals = new RefusalTable(database, schema)
    this.overwritten = new OverwrittenTable(database, schema)
    this.blobs = new BlobTables(database, schema)
  }
}
