import type { Finding } from '@godwit/protocol'
import type { JournalEntry, StoredObjectState } from '@godwit/store'

/** What decides whether an object is on a device. */
export interface ExplainFacts {
  /** The login; `*`: no user is named. */
  readonly user: string
  readonly userState: 'known' | 'unknown' | 'locked' | 'barred' | 'missing'
  readonly source: string
  readonly sourceState: 'pulled' | 'bulk_only' | 'unknown'
  readonly partition: string
  /** Findings about the queries of the source, which decide nothing. */
  readonly queries: readonly Finding[]
  readonly present: StoredObjectState
  readonly changes: readonly UndecidedChange[]
  readonly devices: NamedDevices
}

/** A change of the object by a device that has no outcome yet. */
export type UndecidedChange = Pick<JournalEntry, 'client' | 'attempts'> & {
  readonly state: 'queued' | 'started' | 'in_doubt'
  readonly operation: JournalEntry['mutation']['operation']
  readonly number: number
}

/** The devices in question. `none_named`: the shared partition, without a device. */
export type NamedDevices =
  | { readonly kind: 'none_named' }
  | { readonly kind: 'unknown'; readonly client: string }
  | { readonly kind: 'of_another_user'; readonly client: string; readonly owner: string }
  | { readonly kind: 'known'; readonly devices: readonly DeviceFacts[]; readonly areMore: boolean }

/** How far a device is in the collection. */
export interface DeviceFacts {
  readonly client: string
  /** What the device has confirmed. Absent: it never pulled the collection. */
  readonly confirmed?: {
    readonly at: number
    /** False in a pass from zero, of which the device has confirmed a part at most. */
    readonly isWhole: boolean
    /** True if this includes the present state of the object, also that of a removed one. */
    readonly includesObject: boolean
  }
  /** The last pass that was sent to its end and is not confirmed. */
  readonly sent?: { readonly at: number; readonly includesObject: boolean }
  /** True if an earlier state of the object is, or may be, on the device. */
  readonly hadObject: boolean
}
