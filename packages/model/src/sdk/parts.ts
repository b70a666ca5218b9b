import type { Database } from '../database/database.js'
import type { Model, Models } from '../database/models.js'
import type { LocalDevice } from '../local-device.js'
import type { Automatic } from '../sync/automatic.js'
import type { Events } from '../sync/events.js'
import type { Runner } from '../sync/runner.js'
import type { Session } from '../sync/session.js'
import type { Syncing } from '../sync/syncing.js'
import type { Transport } from '../sync/transport.js'
import type { TypedModels } from '../typed/models.js'

/** The names of an app's typed models; any name where it has none. */
export type NameOf<Ms> = [keyof Ms] extends [never] ? string : keyof Ms & string

/** What an SDK is made of. */
export interface SdkParts<Ms> {
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
  readonly models: TypedModels<Ms>
}
