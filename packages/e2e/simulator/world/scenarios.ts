import { LOGINS, type Plan, type Scenario, type SourcePlan } from './plan.js'
import { withQueues } from './themes.js'

/** One source alone, so that few objects meet often; all devices are of one user. */
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
  /** Doubts that an operator decides, rightly or not, after what they did came through unheard. */
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
  /** Queries whose answer comes after tombstones went that are newer than it. */
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
  /** Apps that write many objects at once, and die at it. */
  many: plan => ({
    ...withTroubles(singleSource(plan, { belongsTo: { parent: 'Item' } }), { query: 0 }),
    theme: 'many',
    creates: 0.6,
  }),
  /** Doubts that a query alone can end, about objects that are changed while it runs. */
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
  /** Collections made again while workers run their queries. */
  renewed: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { pollInterval: 60 }), { query: 0, lost: 0 })),
    theme: 'renewed',
  }),
  /** Calls whose collection is made again, and whose device is emptied. */
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
  /** What a call did is put back before it is answered. */
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
  /** Queries that are overtaken: by changes, by doubts, by who asks for another one, by a collection that is made again. */
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
  /** Calls that are repeated after what they did was put back. */
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
  /** Two processes of one device, both at a sync. */
  twins: plan => ({
    ...withTroubles(singleSource(plan, { pollInterval: 0 }), { query: 0, backend: 0.1 }),
    theme: 'twins',
    stock: 12,
  }),
  /** Tombstones that go while the backend still shows what they removed. */
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
  /** Calls that were done and are repeated, of objects that others change in between. */
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
  /** Collections made again while the first push to them is not answered. */
  renewals: plan => ({
    ...withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.4, refused: 0 }),
    theme: 'renewals',
    store: 'memory',
  }),
  /** Operators who put back in line what the device was told is in doubt, and stores that go back to before. */
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
  /** Objects that name objects whose creates are refused, or not decided. */
  families: plan => ({
    ...withTroubles(singleSource(plan, { belongsTo: { parent: 'Item' } }), { lost: 0.4, refused: 0.4, backend: 0.2 }),
    theme: 'families',
    creates: 0.7,
    stock: 0,
  }),
  /** First pulls, of collections whose queries wait in a queue. */
  beginnings: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { pollInterval: 60 }), { query: 0 })),
    theme: 'beginnings',
  }),
  /** Changes that wait in a queue when the store goes back to before them. */
  lostJournals: plan => ({
    ...withQueues(withTroubles(singleSource(plan, { idempotent: false }), { lost: 0.1, refused: 0.1, backend: 0.4 })),
    theme: 'lostJournals',
    store: 'sqlite',
  }),
  /** Stores that go back to before what a device was just told, while the backend cannot be asked. No request comes twice: one that does so after that can make up the number of outcomes that were lost, so that the checksum alone tells. */
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
  /** Devices that never come back after what they sent was accepted. */
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
