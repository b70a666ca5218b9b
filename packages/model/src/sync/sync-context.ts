import type { DeviceDatabase } from '../database/database.js'
import type { Drive } from '../database/driver.js'
import type { OpenModel, OpenModels } from '../database/models.js'
import type { Refusal } from '../device.js'
import type { DeviceFiles } from '../files/device-files.js'
import type { AppliedAnswer } from './apply-page.js'
import type { Counts } from './counts.js'
import type { ErrorFacts, Events } from './events.js'
import type { TasksByName } from './one-at-a-time.js'
import type { Session } from './session.js'
import type { RequestIdentity, Transport } from './transport.js'

/** What the verbs of sync choose from. */
export interface SyncContext {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly session: Session
  readonly transport: Transport
  readonly events: Events
  /** Undefined on platforms without file storage. */
  readonly files: DeviceFiles | undefined
  /** The disk takes no more than what sending needs. */
  readonly isFull: () => Promise<boolean>
  readonly drive: Pick<Drive, 'delete' | 'lock'>
  /** Sources that a run is at. */
  readonly busy: TasksByName
  /** What all runs came to since the opening, by source: a run of all tells also what small runs beside it did. */
  readonly totals: Map<string, Counts>
  /** Blobs on their way here, by name: models that sync side by side may name the same one. */
  readonly fetching: TasksByName
  /** When blobs that nothing names were last removed, in milliseconds since 1970; 0: not since the opening, or since another login. */
  readonly swept: { at: number }
  /** ISO 8601. */
  readonly now: () => string
  readonly newKey: () => string
  /** Rows a page. */
  readonly pageSize: () => number
  /** Somebody wants to hear which objects change. */
  readonly watchesObjects: () => boolean
  /** Told of each refused change, after it was rolled back. */
  readonly refused: (refusal: Refusal) => void
}

/** One run over some sources. */
export interface SyncRun {
  readonly signal: AbortSignal
  /** Handed to the source with the first pull: empty once that is answered. */
  query: { readonly [name: string]: string }
  received: number
  sent: number
  /** How often refusals came while the number of changes to send did not shrink, since handlers made new ones. */
  refusedAgain: number
  /** True for a run that the SDK started by itself: changes that handlers make then wait for the next request. */
  readonly isAutomatic?: boolean
  /** The server refused something in this run. */
  wasRefused?: boolean
  /** The server told that something changed: it need not ask the backend for that. */
  readonly isHinted?: boolean
  /** What the server says of the last query of the source, if that failed. */
  backendError?: ErrorFacts | undefined
  /** The source's rows were repaired in this run. */
  repaired?: boolean
}

/** As whom a source asks: with the client id that its numbers and its token belong to. */
export const askingFor = (
  { session }: SyncContext,
  { partition, name }: OpenModel,
  { signal }: SyncRun,
): RequestIdentity => ({
  session: session.required(),
  client: partition.sources.get(name).client,
  signal,
})

/** Events and refusals of an answer, told when it is committed. A handler that throws harms no sync. */
export function emitResults({ events, refused, models }: SyncContext, { events: told, refusals }: AppliedAnswer): void {
  for (const event of told) events.emit(event)
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
