import { LOGINS, type Plan, type Scenario, type SourcePlan } from './plan.js'
import { withQueues } from './themes.js'

/** A single source, so that few objects meet often; all devices belong to one user. */
function singleSource(plan: Plan, changes: Partial<SourcePlan>, name = 'Item'): Plan {
  const source = plan.sources.find(one => one.name === name) as SourcePlan
  const plain = { settle: 0, passThrough: false, merges: false, belongsTo: {} }
  return {
    ...plan,
    devices: plan.devices.map(() => LOGINS[0]),
    sources: [{ ...source, ...plain, ...changes }],
    crowd: false,
    stock: 3,
  }
}

const withTroubles = (plan: Plan, changes: Partial<Plan['troubles']>): Plan => ({
  ...plan,
  troubles: { ...plan.troubles, ...changes },
})

/** Special plans, each for a combination of events that is rare by chance. */
export const scenarios: { readonly [Name in Scenario]: (plan: Plan) => Plan } = {
  /** Doubts that an operator decides, correctly or not, after their calls took effect unheard. */
  decisions: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, idempotent: false, conflict: 'client-wins' }), {
      backend: 0.1,
      refused: 0,
      query: 0,
      lost: 0,
      doubled: 0,
    }),
    theme: 'decisions',
    store: 'memory',
  }),
  /** Queries whose result arrives after newer tombstones were compacted. */
  outrun: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, streams: false, conflict: 'client-wins' }), {
      backend: 0.1,
      refused: 0,
      query: 0,
      lost: 0.02,
    }),
    theme: 'outrun',
    store: 'memory',
    creates: 0.3,
  }),
  /** Apps that write many objects at once and die while doing so. */
  many: plan => ({
    ...withTroubles(singleSource(plan, { belongsTo: { parent: 'Item' } }), { query: 0 }),
    theme: 'many',
    creates: 0.6,
  }),
  /** Doubts that only a query can end, about objects that change while it runs. */
  spared: plan => ({
    ...withTroubles(
      singleSource(plan, {
        pollInterval: -1,
        streams: false,
        idempotent: false,
        conflict: 'client-wins',
        fullUpdate: false,
      }),
      { backend: 0.6, refused: 0, query: 0, lost: 0, doubled: 0 },
    ),
    theme: 'spared',
    store: 'memory',
    devices: Array.from({ length: 3 }, () => LOGINS[0]),
    creates: 0,
    stock: 1,
  }),
  /** Collections recreated while workers run their queries. */
  renewed: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { pollInterval: 60 }), { query: 0, lost: 0 })),
    theme: 'renewed',
  }),
  /** Calls whose collection is recreated, and whose device is emptied. */
  orphans: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, conflict: 'client-wins' }), {
      backend: 0,
      refused: 0,
      query: 0,
      lost: 0,
      doubled: 0,
    }),
    theme: 'orphans',
    store: 'memory',
  }),
  /** Effects of calls that are reverted before the answer. */
  undone: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, conflict: 'client-wins', fullUpdate: false }), {
      backend: 0,
      refused: 0,
      query: 0,
    }),
    theme: 'undone',
    store: 'memory',
    creates: 0.1,
  }),
  /** Queries overtaken by changes, doubts, further requests, or a recreated collection. */
  overtaken: plan => ({
    ...withTroubles(
      singleSource(plan, { pollInterval: -1, streams: false, idempotent: false, conflict: 'client-wins' }),
      {
        backend: 0.4,
        refused: 0,
        query: 0,
        lost: 0.02,
      },
    ),
    theme: 'overtaken',
    store: 'memory',
    devices: Array.from({ length: 4 }, () => LOGINS[0]),
    creates: 0,
    stock: 2,
  }),
  /** Calls that are repeated after their effect was reverted. */
  repeats: plan => ({
    ...withTroubles(
      singleSource(plan, { pollInterval: -1, idempotent: true, conflict: 'client-wins', fullUpdate: false }),
      {
        backend: 0.5,
        refused: 0,
        query: 0,
      },
    ),
    theme: 'repeats',
    store: 'memory',
    creates: 0.1,
  }),
  /** Two processes of one device that sync at the same time. */
  twins: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: 0 }), { query: 0, backend: 0.1 }),
    theme: 'twins',
    stock: 12,
  }),
  /** Tombstones compacted while the backend still returns the removed objects. */
  compactions: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, settle: 10, streams: false }), {
      query: 0,
      backend: 0,
      lost: 0,
    }),
    theme: 'compactions',
    devices: [LOGINS[0]],
    store: 'memory',
  }),
  /** Completed calls that are repeated after others changed their objects. */
  retries: plan => ({
    ...withTroubles(singleSource(plan, { idempotent: true, conflict: 'reject', pollInterval: -1 }), {
      backend: 0.5,
      refused: 0,
      query: 0,
    }),
    theme: 'retries',
    store: 'memory',
    creates: 0.15,
  }),
  /** Collections recreated while the first push to them is unanswered. */
  renewals: plan => ({
    ...withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.4, refused: 0 }),
    theme: 'renewals',
    store: 'memory',
  }),
  /** Doubts that operators queue again after the device was told, and restored stores. */
  doubts: plan => ({
    ...withTroubles(
      singleSource(plan, { idempotent: false, passThrough: true, conflict: 'client-wins', pollInterval: 0 }),
      {
        backend: 0.6,
        refused: 0,
      },
    ),
    theme: 'doubts',
    store: 'sqlite',
  }),
  /** Objects that refer to objects whose creates are refused or undecided. */
  families: plan => ({
    ...withTroubles(singleSource(plan, { belongsTo: { parent: 'Item' } }), { lost: 0.4, refused: 0.4, backend: 0.2 }),
    theme: 'families',
    creates: 0.7,
    stock: 0,
  }),
  /** First pulls of collections whose queries wait in a queue. */
  beginnings: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { pollInterval: 60 }), { query: 0 })),
    theme: 'beginnings',
  }),
  /** Queued changes when an older store is restored. */
  lostJournals: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.1, refused: 0.1, backend: 0.4 })),
    theme: 'lostJournals',
    store: 'sqlite',
  }),
  /**
   * Stores restored to before what a device was just told, while the backend cannot be queried. No request arrives twice: a repeated one could
   * restore the number of lost outcomes, so that only the checksum shows the loss.
   */
  rewinds: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1, idempotent: false }), {
      query: 0.4,
      lost: 0.05,
      doubled: 0,
      backend: 0.3,
    }),
    theme: 'rewinds',
    store: 'sqlite',
    creates: 0.15,
  }),
  /** Objects that are removed during their update. */
  removals: plan => ({
    ...withTroubles(singleSource(plan, { conflict: 'client-wins' }), { backend: 0, refused: 0, query: 0 }),
    theme: 'removals',
    creates: 0.3,
  }),
  /** Devices that never return after their changes were accepted. */
  farewells: plan => ({
    ...withTroubles(plan, { query: 0.6, lost: 0 }),
    theme: 'farewells',
    farewell: true,
  }),
  /** Changes that only a query shows, without polling. */
  unpolled: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1 }), { backend: 0.5 }),
    theme: 'unpolled',
    creates: 0.25,
  }),
}

export const SCENARIOS = Object.keys(scenarios) as readonly Scenario[]
