import { SyncError } from '@godwit/protocol'
import { LONGEST_TIMER } from './in-time.js'
import { DEFAULT_LIMITS, type Limits } from './options.js'

type Rule = readonly [expected: string, fits: (value: unknown) => boolean]

const HUNDRED_YEARS = 100 * 365 * 24 * 3600

const number = (unit: string, most: number): Rule => [
  `a number of ${unit} from 0 to ${most}`,
  value => typeof value === 'number' && value >= 0 && value <= most,
]
/** What lives so long ends at a time of 13 digits of milliseconds, as all times have. */
const life = number('seconds', HUNDRED_YEARS)
const wait = number('seconds', Math.floor(LONGEST_TIMER / 1000))
const milliseconds = number('milliseconds', LONGEST_TIMER)
const interval: Rule = [`${wait[0]}, but not 0`, value => value !== 0 && wait[1](value)]
const whole = (least: number): Rule => [
  `a whole number from ${least}`,
  value => Number.isSafeInteger(value) && (value as number) >= least,
]

const RULES: { readonly [Name in keyof Limits]: Rule } = {
  sessionLife: life,
  tokenLife: life,
  tokenSliding: ['true or false', value => typeof value === 'boolean'],
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
  drainConcurrency: whole(1),
  blobBytes: whole(0),
  blobLife: life,
  jobConcurrency: whole(0),
  jobLease: interval,
  bulkLife: life,
  pushWait: wait,
  keepAlive: interval,
  clientsPerUser: whole(1),
  streamsPerClient: whole(1),
  pushesPerUser: whole(1),
  outcomesPerClient: whole(0),
  unnamedBlobBytes: whole(0),
  dynamicSourcesPerUser: whole(0),
}

/** All limits: the given ones, checked, and the defaults. Throws `value_not_allowed` for an unknown name or a value that does not fit. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) check(name, value)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(set) }
}

function check(name: string, value: unknown): void {
  const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof Limits] : undefined
  if (rule === undefined) {
    const known = Object.keys(RULES).join(', ')
    throw new SyncError('value_not_allowed', `There is no limit ${JSON.stringify(name)}. There are: ${known}.`)
  }
  if (rule[1](value)) return
  throw new SyncError('value_not_allowed', `limits.${name}: expected ${rule[0]}, got ${shown(value)}.`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
