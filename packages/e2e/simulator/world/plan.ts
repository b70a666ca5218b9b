import type { ConflictPolicy } from '@godwit/server'
import type { Dice } from './dice.js'

/** The settings of one source and its model. */
export interface SourcePlan {
  readonly name: string
  readonly partition: 'app' | 'user'
  /** Attributes that refer to objects of other sources: attribute name → source name. */
  readonly belongsTo: { readonly [attribute: string]: string }
  readonly pollInterval: number
  readonly idempotent: boolean
  readonly conflict: ConflictPolicy | 'resolve'
  /** Seconds within which a write is visible to queries; the backend's actual delay is slightly shorter. */
  readonly settle: number
  readonly passThrough: boolean
  /** Whether the backend derives attribute `c` from `a` and returns it. */
  readonly normalises: boolean
  /** Whether the backend sometimes answers a create with an existing object. */
  readonly merges: boolean
  /** Whether queries return their result in parts. */
  readonly streams: boolean
  readonly storage: 'bag' | 'fixed'
  readonly fullUpdate: boolean
  /** The queue that workers process its queries and writes from; null: they run with the request. */
  readonly queue: string | null
  /** How the server reads what changed, if not by queries alone. */
  readonly reads?: 'changes' | 'feed'
  /** Whether the server may read single objects. */
  readonly hasGet?: boolean
  /** Whether queries repair once a minute what changes or a feed missed. */
  readonly reconciles?: boolean
  /** Whether devices receive rows only as bulk files. */
  readonly bulkOnly?: true
  /** Whether the backend has objects that only searches find. */
  readonly hasMore?: true
  /** Whether users of one team share a partition, and change teams. */
  readonly isOfTeams?: true
  /** Whether its poll interval may change. */
  readonly isAdministered?: true
  /** Whether its objects may have photos. */
  readonly photos?: true
  /** Whether the server's photo replaces the device's. */
  readonly overwrites?: boolean
  /** Whether the backend delivers every photo with each query, instead of only those missing on the server. */
  readonly putsAlways?: boolean
  /** Whether the backend delivers a photo only from the second query on. */
  readonly putsLate?: true
  /** Whether the backend replaces photos by smaller ones. */
  readonly resizes?: boolean
}

/** Probabilities of faults. */
export interface Troubles {
  /** A request or a response is lost. */
  readonly lost: number
  /** A request is delivered twice, the second time after any delay. */
  readonly doubled: number
  /** A backend refuses a change. */
  readonly refused: number
  /** A backend fails, hangs, or acts without answering. */
  readonly backend: number
  /** A query fails or returns a malformed result. */
  readonly query: number
  /** A binary response is truncated. */
  readonly cut?: number
}

/** The scenarios of special plans (`scenarios.ts`). */
export type Scenario =
  | 'decisions'
  | 'outrun'
  | 'many'
  | 'spared'
  | 'renewed'
  | 'orphans'
  | 'undone'
  | 'overtaken'
  | 'twins'
  | 'repeats'
  | 'compactions'
  | 'retries'
  | 'renewals'
  | 'doubts'
  | 'families'
  | 'beginnings'
  | 'lostJournals'
  | 'rewinds'
  | 'removals'
  | 'farewells'
  | 'unpolled'

/** The features of feature scenarios (`feature-scenarios.ts`). */
export type Feature =
  | 'blobs'
  | 'bulk'
  | 'automatic'
  | 'listening'
  | 'passing'
  | 'searches'
  | 'administration'
  | 'operations'
  | 'quotas'
  | 'teams'
  | 'databases'

export type Theme =
  | 'everything'
  | 'restores'
  | 'floors'
  | 'processes'
  | 'epochs'
  | 'conflicts'
  | 'late'
  | Scenario
  | Feature

/** Limits of servers. */
export interface Quotas {
  readonly clientsPerUser: number
  readonly outcomesPerClient: number
  readonly unnamedBlobBytes: number
  /** Seconds. */
  readonly blobLife: number
}

export interface Plan {
  readonly theme: Theme
  /** All but `memory` can be backed up and restored. Seeds never draw `redis`; it has to be requested. */
  readonly store: 'memory' | 'sqlite' | 'redis'
  /** Number of server processes over one store. */
  readonly servers: 1 | 2
  /** Whether each call of the store takes time, so that requests overlap at every call. */
  readonly slowStore: boolean
  readonly sources: readonly SourcePlan[]
  /** The login of each device's first user. */
  readonly devices: readonly string[]
  readonly troubles: Troubles
  /** Whether a collection is large enough that a query must not remove most of it. */
  readonly crowd: boolean
  /** Share of edits that create an object. */
  readonly creates: number
  /** Number of the first user's objects in each backend at the start. */
  readonly stock: number
  /** Whether devices stop syncing at the end until the servers have completed everything that needs no device. */
  readonly farewell: boolean
  /** Limits of servers that differ from the defaults. */
  readonly limits?: { readonly [name: string]: number }
  /** Limits for each user, which a third-party device exceeds. */
  readonly quotas?: Quotas
  /** Whether devices load bulk files, also at the end. */
  readonly hasBulk?: true
  /** Automatic sync of devices: seconds between syncs, and whether they listen to their server. */
  readonly automatic?: { readonly seconds: number; readonly listens: boolean }
  /** Whether some photos exceed one request. */
  readonly hasLarge?: boolean
}

export const LOGINS = ['ada', 'grace'] as const

export function planOf(dice: Dice): Plan {
  const calm = dice.chance(0.15)
  const rate = (most: number): number => (calm || dice.chance(0.3) ? 0 : dice.next() * most)
  const crowd = dice.chance(0.03)
  const theme = dice.weighted({ everything: 6, restores: 1, floors: 1, processes: 1, epochs: 1 }) as Theme
  return {
    theme,
    store: theme !== 'restores' && dice.chance(0.75) ? 'memory' : 'sqlite',
    servers: dice.chance(0.25) ? 2 : 1,
    slowStore: dice.chance(0.3),
    sources: [
      sourcePlan(dice, { name: 'Owner', partition: 'user', belongsTo: {} }),
      sourcePlan(dice, { name: 'Item', partition: 'user', belongsTo: { owner: 'Owner', parent: 'Item' } }),
      {
        ...sourcePlan(dice, { name: 'Notice', partition: 'app', belongsTo: { owner: 'Owner' } }),
        ...(crowd && { pollInterval: 0 }),
      },
    ],
    devices: Array.from({ length: dice.chance(0.1) ? dice.between(4, 8) : dice.between(2, 3) }, (_, at) =>
      at === 0 || dice.chance(0.7) ? LOGINS[0] : LOGINS[1],
    ),
    troubles: {
      lost: rate(0.2),
      doubled: rate(0.15),
      refused: rate(0.25),
      backend: rate(0.3),
      query: rate(0.2),
    },
    crowd,
    creates: 0.4,
    stock: 0,
    farewell: false,
  }
}

function sourcePlan(dice: Dice, given: Pick<SourcePlan, 'name' | 'partition' | 'belongsTo'>): SourcePlan {
  const plan: SourcePlan = {
    ...given,
    pollInterval: dice.any([0, 0, 60, -1, -1]) as number,
    idempotent: dice.chance(0.5),
    conflict: dice.any(['client-wins', 'client-wins', 'server-wins', 'reject', 'resolve']) as SourcePlan['conflict'],
    settle: dice.chance(0.15) ? 10 : 0,
    passThrough: dice.chance(0.1),
    normalises: dice.chance(0.2),
    merges: dice.chance(0.15),
    streams: dice.chance(0.4),
    storage: dice.chance(0.3) ? 'fixed' : 'bag',
    fullUpdate: dice.chance(0.2),
    queue: null,
  }
  // The server stores no content of a pass-through source to detect conflicts with, and accepts no pushes: only polls bring changes.
  return plan.passThrough ? { ...plan, conflict: 'client-wins', pollInterval: Math.max(0, plan.pollInterval) } : plan
}
