import type { ConflictPolicy } from '@godwit/server'
import type { Dice } from './dice.js'

/** How one source and its model are set. */
export interface SourcePlan {
  readonly name: string
  readonly partition: 'app' | 'user'
  /** Attribute → source whose ids it holds. */
  readonly belongsTo: { readonly [attribute: string]: string }
  readonly pollInterval: number
  readonly idempotent: boolean
  readonly conflict: ConflictPolicy | 'resolve'
  /** Seconds after which a write surely shows in a query; the backend shows it up to so much less a bit too late. */
  readonly settle: number
  readonly passThrough: boolean
  /** The backend derives attribute `c` from `a`, and answers with it. */
  readonly normalises: boolean
  /** Now and then the backend answers a create with an object that it has already. */
  readonly merges: boolean
  /** Queries answer in parts. */
  readonly streams: boolean
  readonly storage: 'bag' | 'fixed'
  readonly fullUpdate: boolean
  /** Where its queries and writes wait for workers; null: they run with the request. */
  readonly queue: string | null
  /** Its rows come as files alone. */
  readonly bulkOnly?: true
  /** The backend has more than it shows to queries: devices search for it. */
  readonly hasMore?: true
  /** Users of one team share a partition, and change teams. */
  readonly isOfTeams?: true
  /** Its poll interval may change meanwhile. */
  readonly isAdministered?: true
  /** Its objects may have photos. */
  readonly photos?: true
  /** The server's photo goes over the device's own. */
  readonly overwrites?: boolean
  /** The backend hands over every photo with each query, and not only those that the server does not name. */
  readonly putsAlways?: boolean
  /** The backend hands over a photo only with the second query that shows it; it does so with each then. */
  readonly putsLate?: true
  /** The backend replaces a photo by a smaller one. */
  readonly resizes?: boolean
}

/** How often something goes wrong, as a share of all cases. */
export interface Troubles {
  /** A request or an answer is lost. */
  readonly lost: number
  /** A request arrives once more, at any time. */
  readonly doubled: number
  /** A backend refuses a change. */
  readonly refused: number
  /** A backend fails, hangs, or does it and does not say so. */
  readonly backend: number
  /** A query fails or answers nonsense. */
  readonly query: number
  /** An answer of bytes breaks off in the middle. */
  readonly cut?: number
}

/** The scenario of a special plan (`scenarios.ts`). */
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

/** What lets a part of the product meet with everything else (`feature-scenarios.ts`). */
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
  /** All but `memory` can be backed up and restored. Seeds draw no `redis`: it is asked for. */
  readonly store: 'memory' | 'sqlite' | 'redis'
  /** Processes of the server over one store. */
  readonly servers: 1 | 2
  /** Each call of the store takes its time, so that requests overlap at every call. */
  readonly slowStore: boolean
  readonly sources: readonly SourcePlan[]
  /** The login of each device's first user. */
  readonly devices: readonly string[]
  readonly troubles: Troubles
  /** A collection so large that a query is guarded against removing most of it. */
  readonly crowd: boolean
  /** The share of edits that make an object. */
  readonly creates: number
  /** Objects of the first user that each backend has from the beginning. */
  readonly stock: number
  /** In the end the devices stay away until the servers have done what they can do alone. */
  readonly farewell: boolean
  /** What of the servers' limits is another than usual. */
  readonly limits?: { readonly [name: string]: number }
  /** What a user may have, where a device of another make goes beyond. */
  readonly quotas?: Quotas
  /** Devices load files, in the end too. */
  readonly hasBulk?: true
  /** Automatic sync of devices: seconds between syncs, and whether they listen to their server. */
  readonly automatic?: { readonly seconds: number; readonly listens: boolean }
  /** Some photos are larger than one request may be. */
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
  // It stores nothing to judge conflicts by and takes no pushes: only polls bring changes.
  return plan.passThrough ? { ...plan, conflict: 'client-wins', pollInterval: Math.max(0, plan.pollInterval) } : plan
}
