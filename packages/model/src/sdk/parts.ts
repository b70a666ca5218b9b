import type { Database } from '../database/database.js'
import type { Model, Models } from '../database/models.js'
import type { LocalDevice } from '../local-device.js'
import type { Automatic } from '../sync/automatic.js'
import type { Events } from '../sync/events.js'
import type { Runner } from '../sync/runner.js'
import type { Session } from '../sync/session.js'
import type { Syncing } from '../sync/syncing.js'
import type { Transport } from '../sync/transport.js'
import type { ModelSpec } from '../typed/define-model.js'
import type { TypedModel } from '../typed/typed-model.js'

export interface ModelSpecs {
  // biome-ignore lint/suspicious/noExplicitAny: specs of any attributes; each keeps its own type by inference
  readonly [name: string]: ModelSpec<any>
}

export type TypedModels<Specs extends ModelSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends ModelSpec<infer Attributes> ? TypedModel<Attributes> : never
}

/** What an SDK is made of. */
export interface SdkParts<Specs extends ModelSpecs> {
  readonly database: Database
  readonly registry: Models
  readonly device: LocalDevice
  readonly session: Session
  readonly transport: Transport
  readonly events: Events
  readonly syncing: Syncing
  readonly runner: Runner
  readonly automatic: Automatic
  /** The models that sync, those too that were made and not used yet. */
  readonly synced: () => readonly Model[]
  /** Keeps the process alive until what it returns is called. */
  readonly hold: () => () => void
  readonly settings: { pageSize: number; watchesObjects: boolean }
  readonly models: TypedModels<Specs>
}
