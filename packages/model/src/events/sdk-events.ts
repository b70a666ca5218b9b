import { isSyncError, type ObjectId } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { Overwritten, Refusal } from '../definition/reported-changes.js'

import { callSafely } from '../live/call-safely.js'
import { Callbacks } from '../live/callbacks.js'
import { EventReader } from '../live/event-reader.js'
import type { ObjectChanges } from '../live/object-changes.js'
import type { TraceEvent } from '../live/trace.js'
import type { Duplicate } from '../records/store-row.js'
import type { PingMessage } from './server-events.js'

/** An error in an event. */
export interface ErrorFacts {
  readonly code: string
  readonly message: string
}

export const errorFacts = (error: unknown): ErrorFacts =>
  isSyncError(error)
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: error instanceof Error ? error.message : String(error) }

/** Events of the SDK about sync. */
export type SdkEvent<Name extends string = string> =
  /** A page arrived. `page`: its objects; `received`: those of this pass so far; `total`: live objects on the server. */
  | {
      readonly kind: 'progress'
      readonly source: Name
      readonly page: number
      readonly received: number
      readonly total: number
      readonly cumulative: number
    }
  /** A source is up to date. `error`: its backend failed, so that the server's rows may be old. */
  | {
      readonly kind: 'source'
      readonly source: Name
      readonly received: number
      readonly total: number
      readonly error?: ErrorFacts
    }
  /** All sources of a run are done, successfully or not. */
  | { readonly kind: 'complete'; readonly received: number; readonly sent: number; readonly failed: readonly Name[] }
  /** A user logged in or out, or `sdk.status().online` changed with the event stream. */
  | { readonly kind: 'status'; readonly loggedIn: boolean; readonly userName: string | null }
  /** The session of a login by token ends soon or has ended, and there are no `credentials` here: pass a newer token to `login({ token, renew: true })`. */
  | { readonly kind: 'credentials' }
  /** The server refused a change; it is rolled back unless a handler decides otherwise. */
  | ({ readonly kind: 'refused' | 'conflict' } & Omit<Refusal<Name>, 'at'>)
  /** An applied change replaced values that others had written and this device had not seen; see `sdk.overwritten()`. */
  | ({ readonly kind: 'overwritten' } & Omit<Overwritten<Name>, 'at'>)
  /** The server assigned an object its real id; the temporary one still finds it. */
  | { readonly kind: 'renamed'; readonly model: Name; readonly from: ObjectId; readonly to: ObjectId }
  /** The result of the change is unknown; an operator has to decide. */
  | {
      readonly kind: 'in_doubt'
      readonly model: Name
      readonly object: ObjectId
      readonly operation: Refusal['operation']
    }
  /** All rows of a source are loaded again: the server requested it, began a new epoch or gave the device a new client id, or the checksum differs. */
  | { readonly kind: 'resync'; readonly source: Name; readonly reason: 'server' | 'checksum' | 'epoch' | 'client' }
  /** The checksum of a source differed from the server's; this number of rows was corrected. */
  | { readonly kind: 'repaired'; readonly source: Name; readonly rows: number }
  /** Objects that a sync added, changed or removed, while setObjectNotification has a handler. */
  | {
      readonly kind: 'objects'
      readonly source: Name
      readonly created: readonly ObjectId[]
      readonly updated: readonly ObjectId[]
      readonly deleted: readonly ObjectId[]
    }
  /** A source that only bulk data loads was skipped. */
  | { readonly kind: 'skipped'; readonly source: Name; readonly reason: 'bulk_only'; readonly message: string }
  /** The server's answer about bulk data; `size` is the size of its file. */
  | {
      readonly kind: 'bulk'
      readonly sources: readonly Name[]
      readonly status: 'wait' | 'ready' | 'nothing'
      readonly size: number
    }
  /** The file of a blob was downloaded. */
  | { readonly kind: 'blob'; readonly model: Name; readonly object: ObjectId; readonly path: string }
  | { readonly kind: 'schema'; readonly source: Name }
  /** The app writes to a source so often that its changes are now sent only every 5 seconds. */
  | { readonly kind: 'busy'; readonly source: Name }
  /** An operator or backend sent a message to the user; its `sources` are synced. */
  | ({ readonly kind: 'ping'; readonly sources: readonly Name[] } & Omit<PingMessage, 'do_sync'>)
  /** The server sent an object that violates a unique index; both objects are stored. */
  | ({ readonly kind: 'duplicate'; readonly source: Name } & Duplicate)
  /** The server sent values that do not fit the types of a typed model: number by attribute. They show as absent; `sdk.debug()` counts all stored ones. */
  | {
      readonly kind: 'invalidValues'
      readonly source: Name
      readonly attributes: { readonly [attribute: string]: number }
    }
  /**
   * A source or its backend failed (with the server's message), or a live query of that model failed. Null: the server refuses this device a client,
   * so nothing syncs.
   */
  | { readonly kind: 'error'; readonly source: Name | null; readonly error: ErrorFacts }
  /** Only after `sdk.trace()`. */
  | TraceEvent

/** Returns no event if nothing changed. */
export function objectEvents(source: string, changes: ObjectChanges): readonly SdkEvent[] {
  const [created, updated, deleted] = [changes.of('created'), changes.of('updated'), changes.of('deleted')]
  return changes.isEmpty ? [] : [{ kind: 'objects', source, created, updated, deleted }]
}

/** Returns no event if everything fits. */
export function invalidValueEvents({
  name,
  invalidValues,
}: Pick<OpenModel, 'name' | 'invalidValues'>): readonly SdkEvent[] {
  const counts = invalidValues.take()
  return counts.size === 0 ? [] : [{ kind: 'invalidValues', source: name, attributes: Object.fromEntries(counts) }]
}

type Listener = (event: SdkEvent) => void

/** Passes events to the current listeners. A listener that throws does not affect the others. */
export class Events {
  readonly #listeners = new Set<Listener>()
  readonly #ends = new Set<() => void>()
  readonly #callbacks: Callbacks

  constructor(callbacks = new Callbacks()) {
    this.#callbacks = callbacks
  }

  emit(event: SdkEvent): void {
    for (const listener of this.#listeners)
      this.#callbacks.run(() => callSafely(() => listener(event), this.#callbacks.threw))
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Events from now on, until the loop is left or the SDK is closed. */
  all(): AsyncGenerator<SdkEvent, void, void> {
    const reader = new EventReader<SdkEvent>(() => {
      stop()
      this.#ends.delete(end)
    })
    const stop = this.listen(event => reader.push(event))
    const end = () => reader.end()
    this.#ends.add(end)
    return reader
  }

  close(): void {
    for (const end of this.#ends) end()
  }
}
