import type { Attributes, ObjectId } from '@godwit/protocol'
import type { OpenModels } from '../database/open-models.js'
import type { SourceState } from '../database/source-states.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import type { Definition } from '../definition/definition.js'
import type { Overwritten, Refusal } from '../definition/reported-changes.js'
import type { Session } from '../run/device-session.js'

/** Options of `debug`. */
export interface DebugOptions {
  /** Includes attribute values, which are the user's data. Default false: names only. */
  readonly values?: boolean
}

/** Attribute values or, by default, only the names. */
type DumpedAttributes = Attributes | readonly string[]

/** The state of a device as plain JSON, for inspection or support. It contains no session and, unless requested, no attribute values. */
export interface DeviceDump {
  readonly user: { readonly name: string | null; readonly loggedIn: boolean; readonly client: string | null }
  readonly models: readonly (Pick<
    Definition,
    'name' | 'partition' | 'storage' | 'syncType' | 'syncPriority' | 'schemaVersion'
  > & {
    /** Present if a newer version of the app made the table: its schema version, and whether this version may write. */
    readonly newer?: { readonly schemaVersion: number; readonly writable: boolean }
    readonly objects: number
    readonly source: SourceDump | null
    /** For a typed model: the number of values that do not match their type, by attribute. */
    readonly invalidValues?: { readonly [attribute: string]: number }
  })[]
  readonly changes: readonly ChangeDump[]
  readonly refused: readonly RefusalDump[]
  readonly overwritten: readonly OverwrittenDump[]
}

/** The state of one source. `token` is true if the device has a pull token. */
export type SourceDump = Omit<SourceState, 'token' | 'schema'> & { readonly token: boolean }

/** An undecided change in a `DeviceDump`. */
export interface ChangeDump
  extends Pick<OutboxEntry, 'entry' | 'model' | 'operation' | 'number' | 'key' | 'state' | 'sent'> {
  readonly object: ObjectId
  readonly attributes: DumpedAttributes
}

/** A refused change in a `DeviceDump`. */
export interface RefusalDump extends Omit<Refusal, 'attributes' | 'was' | 'error'> {
  readonly attributes: DumpedAttributes
  readonly was: DumpedAttributes
  /** The message is included only with values, because it may quote them. */
  readonly error: { readonly code: string; readonly message?: string }
}

/** An applied change that replaced values of others, in a `DeviceDump`. */
export interface OverwrittenDump extends Omit<Overwritten, 'attributes' | 'overwrote'> {
  readonly attributes: DumpedAttributes
  readonly overwrote: DumpedAttributes
}

/** Returns a dump of the device's state without changing it. */
export function debug(models: OpenModels, session: Session, { values = false }: DebugOptions = {}): DeviceDump {
  const dumped = (attributes: Attributes): DumpedAttributes => (values ? attributes : Object.keys(attributes))
  const scopes = models.allScopes()
  return {
    user: { name: session.userName, loggedIn: session.token !== null, client: session.clientId },
    models: models.all().map(({ name, definition, tableDefinition, isWritable, rows, synced, state }) => ({
      name,
      partition: definition.partition,
      storage: definition.storage,
      syncType: definition.syncType,
      syncPriority: definition.syncPriority,
      schemaVersion: definition.schemaVersion,
      ...(tableDefinition !== definition && {
        newer: { schemaVersion: tableDefinition.schemaVersion, writable: isWritable },
      }),
      objects: rows.count(),
      source: synced ? sourceDump(state.get()) : null,
      ...(definition.typed && { invalidValues: rows.countInvalidValues() }),
    })),
    changes: scopes
      .flatMap(({ outbox }) => outbox.all())
      .sort((a, b) => a.entry - b.entry)
      .map(({ entry, model, object, operation, number, key, state, sent, attributes }) => ({
        entry,
        model,
        object,
        operation,
        number,
        key,
        state,
        sent,
        attributes: dumped(attributes),
      })),
    refused: scopes
      .flatMap(({ refusals }) => refusals.list())
      .map(({ attributes, was, error, ...refusal }) => ({
        ...refusal,
        attributes: dumped(attributes),
        was: dumped(was),
        error: values ? error : { code: error.code },
      })),
    overwritten: scopes
      .flatMap(({ overwritten }) => overwritten.list())
      .map(one => ({ ...one, attributes: dumped(one.attributes), overwrote: dumped(one.overwrote) })),
  }
}

function sourceDump({ token, schema: _, ...state }: SourceState): SourceDump {
  return { ...state, token: token !== null }
}
