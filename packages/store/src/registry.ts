import type { JsonValue } from '@godwit/protocol'

/** The kinds of records. Sessions and API tokens are one kind, `credential`, with a purpose inside; `refusal` is a mutation that was not applied. */
export type RecordKind = 'user' | 'client' | 'credential' | 'source' | 'server' | 'refusal'

/** At the top `null` means absent, as everywhere. */
export interface RecordValue {
  readonly [name: string]: JsonValue
}

/** A small record of the registry, found by kind and id. */
export interface RegistryRecord {
  readonly id: string
  readonly value: RecordValue
  /** Whose it is: the login of a client's or credential's user. */
  readonly owner?: string
  /** Milliseconds since 1970, by the store's clock, up to the last that a `Date` knows; from then on it counts as absent. Else `value_not_allowed`. */
  readonly expiresAt?: number
}

/** Users, clients, credentials, source settings: small records by kind and id. Every write is durable before it resolves. */
export interface Registry {
  /** False when a record of this kind and id exists (an expired one does not); nothing was changed. */
  create(kind: RecordKind, record: RegistryRecord): Promise<boolean>

  get(kind: RecordKind, id: string): Promise<RegistryRecord | undefined>

  /** Sets members in one atomic step, `null` removes one; `expiresAt` moves the end. Undefined when there is no such record. */
  merge(
    kind: RecordKind,
    id: string,
    change: RecordValue,
    options?: { readonly expiresAt?: number | undefined },
  ): Promise<RegistryRecord | undefined>

  /** False: there was none. */
  delete(kind: RecordKind, id: string): Promise<boolean>

  /** All records of a kind that belong to an owner; the number of those that went. */
  deleteOwned(kind: RecordKind, owner: string): Promise<number>

  /** In order of id (UTF-8 bytes), at most `limit` after `after`, of one owner if given. */
  list(
    kind: RecordKind,
    page: { readonly owner?: string | undefined; readonly after?: string | undefined; readonly limit: number },
  ): Promise<readonly RegistryRecord[]>

  /** How many, of one owner if given. */
  count(kind: RecordKind, owner?: string): Promise<number>

  /** How many each of these owners has, in their order. */
  countEach(kind: RecordKind, owners: readonly string[]): Promise<readonly number[]>
}
