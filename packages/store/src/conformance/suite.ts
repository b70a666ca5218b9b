import { isSyncError, SyncError } from '@godwit/protocol'
import type { CollectionId, Head } from '../collections.js'
import type { Lease } from '../leases.js'
import type { Store, StoreOptions } from '../store.js'

/** The matchers of a test runner's `expect` that the suite uses. */
export interface Matchers {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toMatchObject(expected: object): void
  toBeGreaterThan(expected: number): void
}

/** A store opened for one test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Reopens the data of the closed store, if it is `durable`. */
  readonly reopen?: (() => Promise<Store>) | undefined
  /** Removes files and connections after the store was closed. */
  readonly discard?: (() => Promise<void>) | undefined
}

/** A test runner and a driver. */
export interface Conformance {
  readonly describe: (name: string, body: () => void) => unknown
  readonly test: (name: string, body: () => Promise<void>, milliseconds?: number) => unknown
  readonly expect: (actual: unknown) => Matchers
  /** Opens an empty store with this clock and these random texts. */
  readonly open: (options: Required<StoreOptions>) => Promise<StoreUnderTest> | StoreUnderTest
  /** True if acknowledged writes survive closing the store: `open` then also returns `reopen`. Default false. */
  readonly durable?: boolean | undefined
  /** Random histories per property. Default 100. */
  readonly runs?: number | undefined
}

/** A clock that a test sets. */
export interface ManualClock {
  now: number
}

/** The store, clock and collection of one test. */
export interface Scene {
  readonly store: Store
  readonly clock: ManualClock
  readonly collection: CollectionId
  readonly reopen?: (() => Promise<Store>) | undefined
}

/** A conformance with the function that registers tests. */
export interface Suite extends Conformance {
  /** A test on an empty store, which is closed and discarded afterwards. */
  readonly fact: (name: string, body: (scene: Scene) => Promise<void>) => void
}

/** Names that break a store that interprets them. */
export const COLLECTION: CollectionId = { source: 'Visit', partition: "ada:*{tag}\n__proto__'" }

export function suiteOf(conformance: Conformance): Suite {
  const fact: Suite['fact'] = (name, body) => conformance.test(name, () => withScene(conformance, body))
  return { ...conformance, fact }
}

export async function withScene<Result>(
  conformance: Pick<Conformance, 'open'>,
  body: (scene: Scene) => Promise<Result>,
  randomId: () => string = countingIds(),
): Promise<Result> {
  const clock = { now: 1_700_000_000_000 }
  const opened = await conformance.open({ clock: () => clock.now, randomId })
  try {
    return await body({ store: opened.store, clock, collection: COLLECTION, reopen: opened.reopen })
  } finally {
    await opened.store.close()
    await opened.discard?.()
  }
}

/** Distinct texts, in the same order in every run. */
export function countingIds(): () => string {
  let count = 0
  return () => `id-${String(++count).padStart(29, '0')}`
}

/** The code of the SyncError that a promise rejects with; `resolved` if it does not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'resolved'
  } catch (error) {
    if (isSyncError(error)) return error.code
    throw error
  }
}

/** Returns the head of a collection, which must exist. */
export async function headOf({ store, collection }: Pick<Scene, 'store' | 'collection'>): Promise<Head> {
  return sure(await store.collections.head(collection))
}

export async function queryLease({ store, collection }: Scene, milliseconds = 60_000): Promise<Lease> {
  return sure(await store.leases.acquire({ kind: 'query', collection }, { holder: 'one', milliseconds }))
}

/** Returns a value that must not be undefined. */
export function sure<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new SyncError('internal', 'The test expected a value here; there was none.')
  return value
}

/** Encodes JSON with sorted names, so that equal values give equal texts, including special names. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
  return `{${members.sort().join(',')}}`
}
