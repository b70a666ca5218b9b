import { type DebugOptions, type DeviceDump, debug } from './debug.js'
import type { Change, Device, Refusal } from './device.js'
import type { LiveQueryFacts } from './live/trace.js'
import { createOrm, type Orm } from './orm/create-orm.js'
import { Hearing } from './sdk/hearing.js'
import type { NameOf, SdkParts } from './sdk/parts.js'
import { resetClient, resetFull, resetLocal } from './sync/resets.js'
import type { BlobRef } from './typed/attribute.js'
import type { TypedModels } from './typed/models.js'
import { type EditOf, RefusedChange } from './typed/refused-change.js'
import { createSql, type Sql } from './typed/sql.js'

export interface SdkStatus {
  /** The server's id of the last user; null before the first login. */
  readonly userId: string | null
  readonly userName: string | null
  /** The id of this device at the server; null before any. */
  readonly clientId: string | null
  readonly loggedIn: boolean
  /** The last request was answered. */
  readonly online: boolean
  readonly syncing: boolean
  /** Changes that the server has not decided. */
  readonly waiting: number
  /** How many changes were refused and not handled yet. */
  readonly refused: number
}

/** An open device: its models, who uses it, sync, and what it does not know to be decided. */
export class Sdk<Ms = Record<never, never>> extends Hearing<Ms> {
  /** The typed models that were given at opening. */
  readonly models: TypedModels<Ms>
  /** SELECTs over the models, read-only and live. */
  readonly sql: Sql
  /** The model class of the document. */
  readonly NewORMModel: Orm['NewORMModel']
  /** Defines a model of the document's kind and makes its tables. */
  readonly addModel: Orm['addModel']
  /** A model of the document's kind by name, or null. */
  readonly getModel: Orm['getModel']

  constructor(parts: SdkParts<Ms>) {
    super(parts)
    this.models = parts.models
    this.sql = createSql(parts.device)
    const { NewORMModel, addModel, getModel } = createOrm(parts.device)
    this.NewORMModel = NewORMModel
    this.addModel = addModel
    this.getModel = getModel
  }

  /** What the faces are made of: for another one, such as a host of pages. */
  get device(): Device {
    return this.parts.device
  }

  /** Who uses the device, whether it syncs, and what waits. */
  status(): SdkStatus {
    const { device, session, transport, runner } = this.parts
    return {
      userId: session.userId,
      userName: session.userName,
      clientId: session.clientId,
      loggedIn: session.token !== null,
      online: transport.isReachable,
      syncing: runner.isRunning,
      ...device.counts(),
    }
  }

  /** For tools: returns the live queries that run, and tells in `events()` for ten seconds of requests, transactions and what live queries ask. Call it again to go on. */
  trace(): readonly LiveQueryFacts[] {
    return this.parts.registry.live.trace.ask()
  }

  /** All in one transaction: a throw undoes it. */
  transaction<T>(run: () => T): T {
    return this.parts.device.transaction(run)
  }

  /** The path of the device's copy of a file that a row shows. Throws `value_not_allowed` where the platform keeps no files. */
  blobPath(blob: BlobRef): string {
    return this.parts.device.pathOf(blob.hash)
  }

  /** Changes that were refused and not handled yet. */
  refused<const Name extends string = NameOf<Ms>>(model?: Name): readonly RefusedChange<Name, EditOf<Name, Ms>>[] {
    const { device } = this.parts
    return device.refused(model).map(one => new RefusedChange(device, one as Refusal<Name>))
  }

  /** Changes that the server has not decided yet, in the order they were made. */
  changes(model?: string): readonly Change[] {
    return this.parts.device.changes(model)
  }

  /** Where this device stands, as plain JSON: models, sources, undecided and refused changes. Attribute values only if asked for. */
  debug(options?: DebugOptions): DeviceDump {
    const { registry, session } = this.parts
    return debug(registry, session, options)
  }

  /** Empties the models of the partition `local`, which sync with nothing. */
  databaseLocalReset(): void {
    resetLocal(this.#resetting())
  }

  /** Empties the models that sync, undecided changes included; the next sync loads them again. */
  databaseFullReset(): void {
    resetFull(this.#resetting())
  }

  /** As databaseFullReset, and the next sync makes a new client. */
  databaseClientReset(): void {
    resetClient(this.#resetting())
  }

  #resetting() {
    const { database, registry, session } = this.parts
    return { database, models: registry, session }
  }
}
