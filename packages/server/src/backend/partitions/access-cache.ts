import type { PartitionParameters } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { BaseEngine } from '../../base/base-engine.js'
import { RecentMap } from '../../base/recent-map.js'
import { DEVICE_CHANNEL, type DeviceEvent } from '../sources/channels.js'

/** The partitions that a source lists for a user, and their names. */
export interface ListedPartitions {
  readonly partitions: readonly PartitionParameters[]
  readonly names: ReadonlySet<string>
}

/** What sources said of a user's access. Only permissions are kept, never refusals. */
export interface UserAccess {
  /** Until when a partition is allowed, in milliseconds since 1970, by the text of its source key. */
  readonly allowed: Map<string, number>
  /** The list of each source, by name, and until when it holds. */
  readonly listed: Map<string, ListedPartitions & { readonly until: number }>
}

type CacheEngine = Pick<BaseEngine, 'store' | 'clock' | 'log'>

const MAX_USERS = 100_000
const IDLE = 60_000
/** Entries of one user; more are dropped together. */
const MAX_ALLOWED = 10_000

/** Remembers for a few seconds which partitions of sources with `by` users may see. */
export class AccessCache {
  readonly #engine: CacheEngine
  readonly #users: RecentMap<UserAccess>
  #listening: Promise<void> | undefined

  constructor(engine: CacheEngine) {
    this.#engine = engine
    this.#users = new RecentMap({ clock: engine.clock, idle: IDLE, capacity: MAX_USERS })
  }

  /** Returns what is known of a user. A result that is added after `forget` to what was returned before it is not used. */
  of(user: string): UserAccess {
    const known = this.#users.get(user)
    if (known !== undefined && known.allowed.size < MAX_ALLOWED) return known
    const fresh = { allowed: new Map(), listed: new Map() }
    this.#users.set(user, fresh)
    return fresh
  }

  /** Drops what is known of a user. */
  forget(user: string): void {
    this.#users.set(user, { allowed: new Map(), listed: new Map() })
  }

  /** Drops what is known of users whose access changed in other processes. Called before the first use, so that other servers need no subscription. */
  listen(): Promise<void> {
    this.#listening ??= this.#engine.store.events
      .subscribe(DEVICE_CHANNEL, event => {
        const { kind, login } = event as unknown as DeviceEvent & { readonly login?: string }
        if (kind === 'access' && login !== undefined) this.forget(login)
      })
      .then(
        () => undefined,
        error => {
          this.#listening = undefined
          this.#engine.log.warn({ error: messageOf(error) }, 'could not subscribe to changes of access')
        },
      )
    return this.#listening
  }
}
