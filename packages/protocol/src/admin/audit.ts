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

/** Which entries: the newest, or those before one. */
export interface AuditList {
  /** Entries with a lower number. Absent: from the newest. */
  readonly before?: number
  /** Default 100. */
  readonly limit?: number
}

/** Who did what to the server, when and from where, and how it went. Never a secret, never the contents of objects and documents. */
export interface AuditEntry {
  /** From 1, without gaps. */
  readonly number: number
  /** ISO 8601 UTC. */
  readonly time: string
  /** Null for a login that does not exist, and for commands on the server's machine. What was typed as a login is not kept, since people type passwords there. */
  readonly login: string | null
  /** At that time. Null: it was a login, or a command. */
  readonly role: Role | null
  /** Group and name of the route: `users.delete`; `store.restore` for `godwit restore`. */
  readonly action: string
  /** What it was done to: the parameters of the path, and what tells of the change. */
  readonly about: { readonly [name: string]: JsonValue }
  /** The remote address; '' where there is none. */
  readonly address: string
  /** `ok`, or the code of the error. */
  readonly result: string
  /** SHA-256 over the hash of the entry before and this entry, so that changing one entry means changing all that follow. */
  readonly hash: string
}

/** Whether the audit is as it was written. */
export interface AuditCheck {
  /** Every entry is there, in its order, as it was written. */
  readonly intact: boolean
  /** How many entries fit together, from the newest down. */
  readonly checked: number
  /** The newest entry: kept elsewhere, it proves later that the log was not rewritten. Null for an empty log. */
  readonly head: { readonly number: number; readonly hash: string } | null
  /** The entry where something is wrong, and what. Absent: nothing. */
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
