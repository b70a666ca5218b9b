import type { JsonValue } from '@godwit/protocol'

/**
 * The kinds of records. Sessions and API tokens are one kind, `credential`, with a purpose inside; `refusal` is a mutation that was not applied,
 * `identity` a person at an identity provider, `exchange` a token of one that was exchanged for sessions.
 */
export type RecordKind = 'user' | 'client' | 'credential' | 'source' | 'server' | 'refusal' | 'identity' | 'exchange'

/** A value of a record. A top-level `null` member counts as absent. */
export interface RecordValue {
  readonly [name: string]: JsonValue
}

/** A small record of the registry, identified by kind and id. */
export interface RegistryRecord {
  readonly id: string
  readonly value: RecordValue
  /** The owner: the login of a client's or credential's user. */
  readonly owner?: string
  /**
   * Milliseconds since 1970, by the store's clock, from which the record counts as absent. At most the last time that `Date` can represent, otherwise
   * `value_not_allowed`.
   */
  readonly expiresAt?: number
}

/** Users, clients, credentials, source settings and other small records by kind and id. Every write is durable before it resolves. */
export interface Registry {
  /** Creates a record. False, with nothing changed, if an unexpired one of this kind and id exists. */
  create(kind: RecordKind, record: RegistryRecord): Promise<boolean>

  get(kind: RecordKind, id: string): Promise<RegistryRecord | undefined>

  /** Sets members in one atomic step, `null` removes one; `expiresAt` changes the expiry. Undefined if there is no such record. */
  merge(
    kind: RecordKind,
    id: string,
    change: RecordValue,
    options?: { readonly expiresAt?: number | undefined },
  ): Promise<RegistryRecord | undefined>

  /** Deletes a record. False if there was none. */
  delete(kind: RecordKind, id: string): Promise<boolean>

  /** Deletes all records of a kind with this owner. Returns how many. */
  deleteOwned(kind: RecordKind, owner: string): Promise<number>

  /** Lists records in order of id (UTF-8 bytes), at most `limit` after `after`, optionally of one owner. */
  list(
    kind: RecordKind,
    page: { readonly owner?: string | undefined; readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly RegistryRecord[]>

  /** Counts records, optionally of one owner. */
  count(kind: RecordKind, owner?: string): Promise<number>

  /** Counts the records of each of these owners, in their order. */
  countEach(kind: RecordKind, owners: readonly string[]): Promise<readonly number[]>
}
