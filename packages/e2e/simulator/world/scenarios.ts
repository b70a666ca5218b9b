import { LOGINS, type Plan, type Scenario, type SourcePlan } from './plan.js'
import { withQueues } from './themes.js'

/** Returns the plan with one source and all devices of one user, so that changes of the same object are frequent. */
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

/** Plans that make one rare combination of events likely. */
export const scenarios: { readonly [Name in Scenario]: (plan: Plan) => Plan } = {
  /** Mutations in doubt that an operator decides, correctly or not, after their calls took effect without the server's knowledge. */
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
  /** Queries whose results arrive after the tombstones of newer removals were compacted. */
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
  /** Apps that write many objects in one transaction, and may die meanwhile. */
  many: plan => ({
    ...withTroubles(singleSource(plan, { belongsTo: { parent: 'Item' } }), { query: 0 }),
    theme: 'many',
    creates: 0.6,
  }),
  /** Mutations in doubt that only a query can decide, of objects that change during the query. */
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
  /** Collections that are recreated while workers run their queries. */
  renewed: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { pollInterval: 60 }), { query: 0, lost: 0 })),
    theme: 'renewed',
  }),
  /** Calls whose collection is recreated, and whose device loses its data. */
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
  /** Calls whose effect is reverted before the response. */
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
  /** Queries during which objects change, calls get into doubt, more queries are requested, or the collection is recreated. */
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
  /** Completed calls that are retried after other writers changed their objects. */
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
  /** Collections that are recreated while the first push to them is pending. */
  renewals: plan => ({
    ...withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.4, refused: 0 }),
    theme: 'renewals',
    store: 'memory',
  }),
  /** Mutations in doubt that operators retry after the device received the outcome, and restored stores. */
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
  /** Objects that refer to objects whose creates are refused or pending. */
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
  /** Restored stores that lack queued changes. */
  lostJournals: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.1, refused: 0.1, backend: 0.4 })),
    theme: 'lostJournals',
    store: 'sqlite',
  }),
  /**
   * Stores restored to a state before outcomes that a device has received, while queries fail. No request is delivered twice: a repeated one could
   * restore the number of lost outcomes, so that only the checksum would reveal the loss.
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
  /** Devices that stop syncing after their changes were accepted. */
  farewells: plan => ({
    ...withTroubles(plan, { query: 0.6, lost: 0 }),
    theme: 'farewells',
    farewell: true,
  }),
  /** Changes that only a query returns, in sources without polling. */
  unpolled: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: -1 }), { backend: 0.5 }),
    theme: 'unpolled',
    creates: 0.25,
  }),
}

export const SCENARIOS = Object.keys(scenarios) as readonly Scenario[]
