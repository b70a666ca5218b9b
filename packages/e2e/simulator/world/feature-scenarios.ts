import type { Dice } from './dice.js'
import { type Feature, LOGINS, type Plan, type Quotas, type SourcePlan, type Theme } from './plan.js'

type PlanChange = (plan: Plan, dice: Dice) => Plan

/** Settings of a pass-through source, whose content the server does not store. */
const PASS_THROUGH = { passThrough: true, conflict: 'client-wins', pollInterval: 60 } as const

/** Returns a source of a plan. */
const sourceOf = (plan: Plan, name: string): SourcePlan =>
  plan.sources.find(source => source.name === name) as SourcePlan

/** Returns the plan with few devices and without delayed reads. */
function unattendedDevices(plan: Plan, dice: Dice): Plan {
  const sources = plan.sources.map(source => ({ ...source, settle: 0 }))
  const item = sources.slice(1, 2).map(source => ({ ...source, belongsTo: {} }))
  return {
    ...plan,
    crowd: false,
    stock: 2,
    sources: dice.chance(0.6) ? item : sources,
    devices: plan.devices.slice(0, 3),
  }
}

/** Plans that combine a feature with faults of devices, servers and backends. */
export const featureScenarios: { readonly [Name in Feature]: PlanChange } = {
  /** Rows with photos: uploaded, stored, delivered, swept, lost. */
  blobs: (plan, dice) => {
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      partition: dice.chance(0.3) ? 'app' : 'user',
      belongsTo: dice.chance(0.5) ? { parent: 'Item' } : {},
      pollInterval: dice.any([0, 0, 60]) as number,
      passThrough: false,
      photos: true,
      overwrites: dice.chance(0.7),
      ...dice.any<Partial<SourcePlan>>([{ putsAlways: true }, { putsAlways: true, putsLate: true }, {}]),
      ...(dice.chance(0.2) && { resizes: true }),
      ...(dice.chance(0.2) && { queue: 'work' }),
    }
    const notice: SourcePlan = { ...sourceOf(plan, 'Notice'), belongsTo: {}, passThrough: false, pollInterval: 60 }
    return {
      ...plan,
      theme: 'blobs',
      crowd: false,
      stock: 0,
      store: dice.chance(0.5) ? 'sqlite' : 'memory',
      sources: dice.chance(0.7) ? [item] : [item, notice],
      devices: plan.devices.slice(0, 3).map(login => (dice.chance(0.7) ? LOGINS[0] : login)),
      limits: { blobLife: dice.any([120, 600, 1800]) as number },
      hasLarge: dice.chance(0.2),
      troubles: { ...plan.troubles, cut: plan.troubles.lost },
    }
  },
  /** Devices that sync and send automatically, without sync calls. */
  automatic: (plan, dice) => ({
    ...unattendedDevices(plan, dice),
    theme: 'automatic',
    automatic: { seconds: 60, listens: dice.chance(0.6) },
  }),
  /** Devices that sync on events only, without polling: the server announces changes, and backends push them. */
  listening: (plan, dice) => {
    const { sources, ...rest } = unattendedDevices(plan, dice)
    return {
      ...rest,
      theme: 'listening',
      sources: sources.map(source => ({ ...source, passThrough: false, pollInterval: -1 })),
      automatic: { seconds: 1_000_000, listens: true },
    }
  },
  /** Pass-through sources. */
  passing: (plan, dice) => ({
    ...plan,
    theme: 'passing',
    crowd: false,
    stock: 3,
    sources: plan.sources
      .map(source => ({ ...source, ...PASS_THROUGH, pollInterval: dice.any([0, 60]) as number, settle: 0 }))
      .slice(0, dice.between(2, 3)),
    devices: plan.devices.slice(0, 3),
    troubles: { ...plan.troubles, query: dice.any([0, 0.15, 0.4]) as number },
  }),
  /** Backends with objects that only searches find: devices search for them, change them and forget them. */
  searches: (plan, dice) => {
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      belongsTo: {},
      pollInterval: dice.any([0, 60]) as number,
      settle: 0,
      merges: false,
      normalises: false,
      passThrough: false,
      hasMore: true,
      ...(dice.chance(0.3) && PASS_THROUGH),
      ...(dice.chance(0.2) && { queue: 'work' }),
    }
    const notice: SourcePlan = { ...sourceOf(plan, 'Notice'), belongsTo: {}, passThrough: false, pollInterval: 60 }
    return {
      ...plan,
      theme: 'searches',
      crowd: false,
      stock: 2,
      sources: dice.chance(0.7)
        ? [item]
        : [item, { ...notice, ...(dice.chance(0.5) && { hasMore: true, normalises: false }) }],
      devices: plan.devices.slice(0, 3),
    }
  },
  /** Deleted and recreated users, ended sessions and changed settings, through the REST API. */
  administration: (plan, dice) => {
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      belongsTo: dice.chance(0.5) ? { parent: 'Item' } : {},
      pollInterval: dice.any([0, 60]) as number,
      settle: 0,
      passThrough: false,
      isAdministered: true,
    }
    const notice: SourcePlan = {
      ...sourceOf(plan, 'Notice'),
      belongsTo: {},
      pollInterval: dice.any([-1, -1, 60]) as number,
      idempotent: false,
      settle: 0,
      passThrough: false,
      isAdministered: true,
    }
    return {
      ...plan,
      theme: 'administration',
      troubles: { ...plan.troubles, backend: dice.any([0, 0.2, 0.5]) as number },
      crowd: false,
      stock: 3,
      store: dice.chance(0.3) ? 'sqlite' : 'memory',
      sources: dice.any([[item], [notice], [item, notice]]) as readonly SourcePlan[],
      devices: plan.devices.slice(0, 3),
    }
  },
  /** Operators that inspect devices during passes, and requests that exceed the servers' limits. */
  operations: (plan, dice) => ({
    ...plan,
    theme: 'operations',
    crowd: false,
    stock: dice.between(3, 12),
    sources: plan.sources.map(source => ({ ...source, settle: 0 })).slice(0, dice.between(2, 3)),
    devices: plan.devices.slice(0, 3),
    limits: {
      pushesPerUser: dice.any([1, 4]) as number,
      outcomesPerClient: dice.any([1, 3, 10_000]) as number,
      positionInterval: dice.any([0, 1]) as number,
    },
  }),
  /** Users that move between teams, each of which shares one partition. */
  teams: (plan, dice) => {
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      partition: 'user',
      isOfTeams: true,
      belongsTo: dice.chance(0.3) ? { parent: 'Item' } : {},
      pollInterval: dice.any([0, 0, 60]) as number,
      settle: 0,
      merges: false,
      passThrough: false,
      ...(dice.chance(0.2) && { queue: 'work' }),
    }
    const notice: SourcePlan = { ...sourceOf(plan, 'Notice'), belongsTo: {}, settle: 0, passThrough: false }
    return {
      ...plan,
      theme: 'teams',
      crowd: false,
      stock: 3,
      sources: dice.chance(0.7) ? [item] : [item, notice],
      devices: plan.devices.slice(0, 3),
    }
  },
  /** A third-party device that sends several changes of an object at once and exceeds its quotas. */
  quotas: (plan, dice) => {
    const quotas: Quotas = {
      clientsPerUser: dice.between(7, 10),
      outcomesPerClient: dice.any([1, 3, 8]) as number,
      unnamedBlobBytes: dice.any([1, 2500, 6000]) as number,
      blobLife: dice.any([600, 86_400]) as number,
    }
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      belongsTo: {},
      conflict: 'client-wins',
      passThrough: false,
      merges: false,
      ...(dice.chance(0.3) && { queue: 'work' }),
    }
    return {
      ...plan,
      theme: 'quotas',
      crowd: false,
      sources: [item],
      devices: plan.devices.slice(0, 2),
      troubles: { ...plan.troubles, backend: dice.any([0, 0.2, 0.5]) as number },
      limits: { ...quotas },
      quotas,
    }
  },
  /** Databases that tell of changes by `changes` or a feed, are read object by object, and are restored or fail over. */
  databases: (plan, dice) => {
    const sourceOver = (name: string): SourcePlan => {
      const reads = dice.any([undefined, 'changes', 'feed', 'feed']) as SourcePlan['reads']
      return {
        ...sourceOf(plan, name),
        belongsTo: {},
        pollInterval: dice.any([0, 60]) as number,
        settle: 0,
        passThrough: false,
        merges: false,
        hasGet: reads === undefined || dice.chance(0.6),
        ...(reads !== undefined && { reads, reconciles: dice.chance(0.2) }),
      }
    }
    return {
      ...plan,
      theme: 'databases',
      crowd: false,
      stock: dice.between(1, 8),
      store: dice.chance(0.4) ? 'sqlite' : 'memory',
      sources: dice.chance(0.6) ? [sourceOver('Item')] : [sourceOver('Item'), sourceOver('Notice')],
      devices: plan.devices.slice(0, 3),
    }
  },
  /** Whole sources as files; some sources deliver rows only that way. */
  bulk: (plan, dice) => {
    const bulkOnly = { pollInterval: dice.any([0, 60]) as number, passThrough: false, bulkOnly: true } as const
    const item: SourcePlan = {
      ...sourceOf(plan, 'Item'),
      belongsTo: dice.chance(0.5) ? { parent: 'Item' } : {},
      pollInterval: dice.any([0, 60, 60, -1]) as number,
      passThrough: false,
      ...(dice.chance(0.1) && PASS_THROUGH),
    }
    const owner: SourcePlan = { ...sourceOf(plan, 'Owner'), ...bulkOnly }
    const notice: SourcePlan = {
      ...sourceOf(plan, 'Notice'),
      belongsTo: {},
      pollInterval: 60,
      passThrough: false,
      ...(dice.chance(0.5) && bulkOnly),
    }
    return {
      ...plan,
      theme: 'bulk',
      crowd: false,
      stock: 3,
      hasBulk: true,
      store: dice.chance(0.4) ? 'sqlite' : 'memory',
      sources: dice.any([[owner], [item], [owner, notice], [item, owner, notice]]) as readonly SourcePlan[],
      devices: plan.devices.slice(0, 3),
      limits: { bulkLife: dice.any([0, 60, 3600]) as number, blobLife: 600 },
      troubles: {
        ...plan.troubles,
        query: dice.any([0, 0.3, 0.6]) as number,
        cut: plan.troubles.lost,
      },
    }
  },
}

export const FEATURES = Object.keys(featureScenarios) as readonly Feature[]

export const isFeature = (about: Theme): about is Feature => Object.hasOwn(featureScenarios, about)
