import type { JsonValue } from '../object-map.js'
import { ROLES, type Role } from '../roles.js'
import {
  anything,
  boolean,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  type Schema,
  string,
} from '../schema.js'

/** Selects audit entries, newest first. */
export interface AuditList {
  /** Returns entries with a lower number. Default: starts at the newest. */
  readonly before?: number
  /** Default 100. */
  readonly limit?: number
}

/** An audit entry: an action, its caller, time, address and result. It never contains secrets or the content of objects and documents. */
export interface AuditEntry {
  /** Sequence number, from 1, without gaps. */
  readonly number: number
  /** ISO 8601 UTC. */
  readonly time: string
  /**
   * The caller; null for an unknown login and for commands run on the server's machine. Unknown logins are not recorded, because users type passwords
   * there by mistake.
   */
  readonly login: string | null
  /** The caller's role at that time. Null for logins and commands. */
  readonly role: Role | null
  /** Group and name of the route: `users.delete`; `store.restore` for `godwit restore`, `store.password` for `godwit admin password`;
   * `query.hold_removals` and `query.end_removals` by the server itself. */
  readonly action: string
  /** The target of the action: the path parameters and details of the change. */
  readonly about: { readonly [name: string]: JsonValue }
  /** The remote address; '' if there is none. */
  readonly address: string
  /** `ok`, or the error code. */
  readonly result: string
  /** SHA-256 of the previous entry's hash and this entry, so that changing one entry invalidates all later hashes. */
  readonly hash: string
}

/** The result of verifying the audit log. */
export interface AuditCheck {
  /** True if all entries are present, in order and unchanged. */
  readonly intact: boolean
  /** The number of consecutive valid entries, counted from the newest. */
  readonly checked: number
  /** The newest entry; store it elsewhere to prove later that the log was not rewritten. Null for an empty log. */
  readonly head: { readonly number: number; readonly hash: string } | null
  /** The entry that failed verification, and why. Absent if none did. */
  readonly broken?: { readonly number: number; readonly why: 'changed' | 'missing' }
}

export const auditListSchema: Schema<AuditList> = object<AuditList>({
  before: optional(integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

export const auditEntriesSchema: Schema<readonly AuditEntry[]> = list(
  object<AuditEntry>({
    number: integer({ minimum: 1 }),
    time: string(),
    login: nullable(string()),
    role: nullable(oneOf(...ROLES)),
    action: string(),
    about: mapOf(anything),
    address: string(),
    result: string(),
    hash: string(),
  }),
)

export const auditCheckSchema: Schema<AuditCheck> = object<AuditCheck>({
  intact: boolean,
  checked: integer({ minimum: 0 }),
  head: nullable(object({ number: integer({ minimum: 1 }), hash: string() })),
  broken: optional(object({ number: integer({ minimum: 0 }), why: oneOf('changed', 'missing') })),
})
