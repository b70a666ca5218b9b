import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { Refusal } from '../definition/reported-changes.js'
import type { ErrorFacts, Events } from '../events/sdk-events.js'
import type { RequestIdentity, Transport } from '../http/transport.js'
import type { DeviceFiles } from '../platform/device-files.js'
import type { Drive } from '../platform/driver.js'
import type { AppliedAnswer } from './applied-answer.js'
import type { Session } from './device-session.js'
import type { TasksByName } from './one-at-a-time.js'
import type { Counts } from './run-counts.js'
import type { SignIn } from './sign-in.js'

/** The parts that sync uses. */
export interface SyncContext {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly session: Session
  readonly signIn: Pick<SignIn, 'ready' | 'recovered'>
  readonly transport: Transport
  readonly events: Events
  /** Undefined on platforms without file storage. */
  readonly files: DeviceFiles | undefined
  /** Resolves to true while the disk has only room for sending. */
  readonly isFull: () => Promise<boolean>
  readonly drive: Pick<Drive, 'delete' | 'lock'>
  /** Sources that a run is processing. */
  readonly busy: TasksByName
  /** Totals of all runs since the opening, by source: a run of all also reports what small runs beside it did. */
  readonly totals: Map<string, Counts>
  /** Running downloads by blob: models that sync at the same time may refer to the same one. */
  readonly fetching: TasksByName
  /** When unused blobs were last removed, in milliseconds since 1970; 0: not since the opening or another login. */
  readonly swept: { at: number }
  /** The current time, ISO 8601. */
  readonly now: () => string
  readonly newKey: () => string
  /** Rows per page. */
  readonly pageSize: () => number
  /** The number of rows above which the rest of an `app` source is loaded as a file. */
  readonly bulkThreshold: () => number
  /** Whether changed objects are to be reported. */
  readonly watchesObjects: () => boolean
  /** Called for each refused change, after its rollback. */
  readonly refused: (refusal: Refusal) => void
}

/** One run over some sources. */
export interface SyncRun {
  readonly signal: AbortSignal
  /** Passed to the source with the first pull, and empty once that is answered. */
  query: { readonly [name: string]: string }
  received: number
  sent: number
  /** How often refusals arrived while the number of changes to send did not shrink, because handlers made new ones. */
  refusedAgain: number
  /** True for an automatic run: changes made by handlers then wait for the next request. */
  readonly isAutomatic?: boolean
  /** Whether the server refused something in this run. */
  wasRefused?: boolean
  /** Whether the server announced a change: then it need not query the backend. */
  readonly isHinted?: boolean
  /** The server's message about the source's last query, if that failed. */
  backendError?: ErrorFacts | undefined
  /** Whether the source's rows were repaired in this run. */
  repaired?: boolean
}

/** The identity of a source's requests, with the client id that its numbers and token belong to. */
export const requestIdentity = (
  { session }: SyncContext,
  { state }: Pick<OpenModel, 'state'>,
  { signal }: SyncRun,
): RequestIdentity => ({
  session: session.required(),
  client: state.get().client,
  signal,
})

/** Emits the events and refusals of an answer after the commit. A handler that throws does not affect the sync. */
export function emitResults(
  { events, refused, models }: SyncContext,
  { events: announced, refusals }: AppliedAnswer,
): void {
  for (const event of announced) events.emit(event)
  for (const { at, ...refusal } of refusals) {
    events.emit({ kind: refusal.status === 'conflict' ? 'conflict' : 'refused', ...refusal })
    try {
      models.live.callbacks.run(() => refused({ ...refusal, at }))
    } catch (cause) {
      const message = `The handler of refused changes of ${refusal.model} threw: ${cause instanceof Error ? cause.message : String(cause)}`
      events.emit({ kind: 'error', source: refusal.model, error: { code: 'internal', message } })
    }
  }
}
