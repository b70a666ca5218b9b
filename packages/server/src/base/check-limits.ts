import { SyncError } from '@godwit/protocol'
import { flag, numberUpTo, ruleOf, type SettingRule, wholeFrom } from '@godwit/source'
import { DEFAULT_LIMITS, type Limits } from './limits.js'
import { MAX_TIMER_MS } from './server-timers.js'

const HUNDRED_YEARS = 100 * 365 * 24 * 3600

/** Such a lifetime ends at a time with 13 digits of milliseconds, like all times. */
const lifetimeRule = numberUpTo('seconds', HUNDRED_YEARS)
const waitRule = numberUpTo('seconds', Math.floor(MAX_TIMER_MS / 1000))
const millisecondsRule = numberUpTo('milliseconds', MAX_TIMER_MS)
const intervalRule: SettingRule = [`${waitRule[0]}, but not 0`, value => value !== 0 && waitRule[1](value)]

const RULES: { readonly [Name in keyof Limits]: SettingRule } = {
  sessionLife: lifetimeRule,
  tokenLife: lifetimeRule,
  tokenSliding: flag,
  loginWait: waitRule,
  passwordCost: [
    'a power of two from 2 to 1048576',
    value => typeof value === 'number' && value >= 2 && value <= 2 ** 20 && Number.isInteger(Math.log2(value)),
  ],
  stopWait: waitRule,
  stopDelay: waitRule,
  eventHeartbeat: intervalRule,
  eventLook: waitRule,
  eventGather: millisecondsRule,
  eventSpread: millisecondsRule,
  pushTimeout: waitRule,
  readerLife: lifetimeRule,
  positionInterval: waitRule,
  sweepInterval: intervalRule,
  queryLease: intervalRule,
  feedSilence: intervalRule,
  confirmRemovals: waitRule,
  pollConcurrency: wholeFrom(1),
  parameterInterval: waitRule,
  callMargin: waitRule,
  statisticsInterval: intervalRule,
  drainConcurrency: wholeFrom(1),
  blobBytes: wholeFrom(0),
  blobLife: lifetimeRule,
  jobConcurrency: wholeFrom(0),
  jobLease: intervalRule,
  bulkLife: lifetimeRule,
  pushWait: waitRule,
  keepAlive: intervalRule,
  clientsPerUser: wholeFrom(1),
  sessionsPerUser: wholeFrom(1),
  streamsPerClient: wholeFrom(1),
  pushesPerUser: wholeFrom(1),
  outcomesPerClient: wholeFrom(0),
  unnamedBlobBytes: wholeFrom(0),
  dynamicSourcesPerUser: wholeFrom(0),
  partitionsPerClient: wholeFrom(1),
  allowCache: waitRule,
}

/** Returns the configured limits, validated, with defaults for the rest. Throws `value_not_allowed` for an unknown name or an invalid value. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) checkLimit(name, value)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(set) }
}

function checkLimit(name: string, value: unknown): void {
  const rule = ruleOf(RULES, name)
  if (rule === undefined) {
    const known = Object.keys(RULES).join(', ')
    throw new SyncError('value_not_allowed', `limits: expected one of ${known}, got ${JSON.stringify(name)}.`)
  }
  if (rule[1](value)) return
  throw new SyncError('value_not_allowed', `limits.${name}: expected ${rule[0]}, got ${describeValue(value)}.`)
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
