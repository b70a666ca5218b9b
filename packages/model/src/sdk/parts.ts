import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { Events } from '../events/sdk-events.js'
import type { Transport } from '../http/transport.js'
import type { Session } from '../run/device-session.js'
import type { SignIn } from '../run/sign-in.js'
import type { SyncContext } from '../run/sync-context.js'
import type { Automatic } from '../schedule/automatic.js'
import type { Runner } from '../sync/runner.js'
import type { TypedModels } from '../typed/typed-models.js'
import type { LocalDevice } from './local-device.js'

/** The names of an app's typed models; any name if it has none. */
export type NameOf<Ms> = [keyof Ms] extends [never] ? string : keyof Ms & string

/** Suggests the names of an app's typed models and accepts any other name. */
export type AnyNameOf<Ms> = NameOf<Ms> | (string & Record<never, never>)

/** The components of an SDK. */
export interface SdkParts<Ms> {
  readonly database: DeviceDatabase
  readonly registry: OpenModels
  readonly device: LocalDevice
  readonly session: Session
  readonly transport: Transport
  readonly events: Events
  readonly syncing: SyncContext
  /** Renews the session of a user who signed in with a token. */
  readonly signIn: SignIn
  readonly runner: Runner
  readonly automatic: Automatic
  /** The models that sync, including those not used yet. */
  readonly synced: () => readonly OpenModel[]
  /** Keeps the process alive until the returned function is called. */
  readonly hold: () => () => void
  readonly settings: { pageSize: number; bulkThreshold: number; watchesObjects: boolean }
  readonly models: TypedModels<Ms>
}
