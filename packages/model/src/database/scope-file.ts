import type { DeviceDatabase } from './database.js'
import type { EntryNumbers } from './entry-numbers.js'
import type { SchemaName } from './files.js'
import type { ModelsToSend } from './models-to-send.js'
import { SettingsTable } from './settings-table.js'
import { SourceStates } from './source-states.js'
import { BlobTables } from './tables/blob-tables.js'
import { CopyTable } from './tables/copy-table.js'
import { LinkTable, NamedTable, Tombstones } from './tables/id-tables.js'
import { LeadTable, MembershipTable } from './tables/membership-table.js'
import { OutboxServerRows } from './tables/outbox-server-rows.js'
import { OutboxTable } from './tables/outbox-table.js'
import { OverwrittenTable } from './tables/overwritten-table.js'
import { RefusalTable } from './tables/refusal-table.js'
import { RouteTable } from './tables/route-table.js'
import { SubscriptionTable } from './tables/subscription-table.js'

/** The tables of a partition's file, which contains all data of its models. */
export class ScopeFile {
  readonly schema: SchemaName
  readonly settings: SettingsTable
  readonly sources: SourceStates
  readonly outbox: OutboxTable
  readonly serverRows: OutboxServerRows
  readonly links: LinkTable
  readonly named: NamedTable
  readonly refusals: RefusalTable
  readonly overwritten: OverwrittenTable
  readonly blobs: BlobTables
  readonly copies: CopyTable
  readonly memberships: MembershipTable
  readonly leads: LeadTable
  readonly routes: RouteTable
  readonly subscriptions: SubscriptionTable

  readonly #database: DeviceDatabase

  constructor(database: DeviceDatabase, schema: SchemaName, numbers: EntryNumbers, outgoing: ModelsToSend) {
    this.#database = database
    this.schema = schema
    this.settings = new SettingsTable(database, schema)
    this.sources = new SourceStates(database, schema)
    this.outbox = new OutboxTable(database, schema, numbers, outgoing)
    this.serverRows = new OutboxServerRows(database, schema)
    this.links = new LinkTable(database, schema)
    this.named = new NamedTable(database, schema)
    this.refusals = new RefusalTable(database, schema)
    this.overwritten = new OverwrittenTable(database, schema)
    this.blobs = new BlobTables(database, schema)
    this.copies = new CopyTable(database, schema)
    this.memberships = new MembershipTable(database, schema)
    this.leads = new LeadTable(database, schema)
    this.routes = new RouteTable(database, schema)
    this.subscriptions = new SubscriptionTable(database, schema)
  }

  /** Returns the tombstones of a model's running pass. */
  tombstones(model: string): Tombstones {
    return new Tombstones(this.#database, this.schema, { table: 'removed', of: model })
  }

  /** Returns the tombstones of a copy's running pass. */
  copyTombstones(copy: number): Tombstones {
    return new Tombstones(this.#database, this.schema, { table: 'copy_removed', of: copy })
  }
}
