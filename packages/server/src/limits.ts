import { SyncError } from '@godwit/protocol'
import { DEFAULT_LIMITS, type Limits } from './options.js'
import { LONGEST_TIMER } from './server-timers.js'
import { flag, numberUpTo, ruleOf, type SettingRule, wholeFrom } from './setting-rules.js'

const HUNDRED_YEARS = 100 * 365 * 24 * 3600

/** What lives so long ends at a time of 13 digits of milliseconds, as all times have. */
const life = numberUpTo('seconds', HUNDRED_YEARS)
const wait = numberUpTo('seconds', Math.floor(LONGEST_TIMER / 1000))
const milliseconds = numberUpTo('milliseconds', LONGEST_TIMER)
const interval: SettingRule = [`${wait[0]}, but not 0`, value => value !== 0 && wait[1](value)]

const RULES: { readonly [Name in keyof Limits]: SettingRule } = {
  sessionLife: life,
  tokenLife: life,
  tokenSliding: flag,
  loginWait: wait,
  passwordCost: [
    'a power of two from 2 to 1048576',
    value => typeof value === 'number' && value >= 2 && value <= 2 ** 20 && Number.isInteger(Math.log2(value)),
  ],
  stopWait: wait,
  stopDelay: wait,
  eventHeartbeat: interval,
  eventLook: wait,
  eventGather: milliseconds,
  eventSpread: milliseconds,
  pushTimeout: wait,
  readerLife: life,
  readerNote: wait,
  sweepInterval: interval,
  queryLease: interval,
  parameterInterval: wait,
  callMargin: wait,
  statisticsInterval: interval,
  drainConcurrency: wholeFrom(1),
  blobBytes: wholeFrom(0),
  blobLife: life,
  jobConcurrency: wholeFrom(0),
  jobLease: interval,
  bulkLife: life,
  pushWait: wait,
  keepAlive: interval,
  clientsPerUser: wholeFrom(1),
  streamsPerClient: wholeFrom(1),
  pushesPerUser: wholeFrom(1),
  outcomesPerClient: wholeFrom(0),
  unnamedBlobBytes: wholeFrom(0),
  dynamicSourcesPerUser: wholeFrom(0),
}

/** All limits: the given ones, checked, and the defaults. Throws `value_not_allowed` for an unknown name or a value that does not fit. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) check(name, value)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(set) }
}

function check(name: string, value: unknown): void {
  const rule = ruleOf(RULES, name)
  if (rule === undefined) {
    const known = Object.keys(RULES).join(', ')
    throw new SyncError('value_not_allowed', `limits: expected one of ${known}, got ${JSON.stringify(name)}.`)
  }
  if (rule[1](value)) return
  throw new SyncError('value_not_allowed', `limits.${name}: expected ${rule[0]}, got ${shown(value)}.`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
