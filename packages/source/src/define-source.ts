import { type Attributes, MAX_BY, SyncError } from '@godwit/protocol'
import type { Feed } from './feed.js'
import { flag, ruleOf, type SettingRule, wholeFrom } from './setting-rules.js'
import type { Source, SourceMethods, SourceSettings } from './source.js'

/** The definition of a source: its name, settings that differ from the defaults, its methods and its feed. */
export type SourceDefinition<A> = Pick<SourceSettings, 'name'> &
  Partial<SourceSettings> &
  SourceMethods<A> & { readonly feed?: Feed | undefined }

const DEFAULTS: Omit<SourceSettings, 'name' | 'queryParameters' | 'by'> = {
  partition: 'user',
  pollInterval: 300,
  reconcileInterval: -1,
  syncType: 'incremental',
  queue: null,
  queryQueue: null,
  cudQueue: null,
  syncPriority: 1000,
  retryLimit: 0,
  idempotent: false,
  settle: 0,
  conflict: 'client-wins',
  maxRemovedShare: 0.5,
  passThrough: false,
  remoteMethods: [],
  pushNotify: false,
  belongsTo: {},
  timeout: 30,
  queryTimeout: 600,
}

const METHODS = [
  'query',
  'get',
  'changes',
  'create',
  'update',
  'delete',
  'storeBlob',
  'search',
  'login',
  'logoff',
  'metadata',
  'schema',
  'partitionName',
  'partitionsOf',
  'allow',
  'resolve',
] as const satisfies readonly (keyof SourceMethods<Attributes>)[]

const oneOf = (...allowed: readonly string[]): SettingRule => [
  allowed.map(value => `'${value}'`).join(' or '),
  value => allowed.includes(value as string),
]
const seconds: SettingRule = ['seconds, 0 or more', value => Number.isFinite(value) && (value as number) >= 0]
// Node fires a longer timer at once.
const LONGEST_WAIT = Math.floor((2 ** 31 - 1) / 1000)
const wait: SettingRule = [
  `seconds, 0 to ${LONGEST_WAIT}`,
  value => seconds[1](value) && (value as number) <= LONGEST_WAIT,
]
const queueName: SettingRule = [
  'a name or null',
  value => value === null || (typeof value === 'string' && value !== ''),
]

const RULES: { readonly [Name in keyof SourceSettings]: SettingRule } = {
  name: ['text of 1 to 128 characters without "/"', isSourceName],
  partition: oneOf('app', 'user'),
  by: [
    `a list of 1 to ${MAX_BY} different names of attributes`,
    value =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= MAX_BY &&
      new Set(value).size === value.length &&
      value.every(name => typeof name === 'string' && name !== ''),
  ],
  pollInterval: wholeFrom(-1),
  reconcileInterval: [
    '-1 or a whole number of seconds from 1',
    value => Number.isSafeInteger(value) && (value === -1 || (value as number) > 0),
  ],
  syncType: oneOf('incremental', 'bulk_only'),
  queue: queueName,
  queryQueue: queueName,
  cudQueue: queueName,
  syncPriority: wholeFrom(1),
  retryLimit: wholeFrom(0),
  idempotent: flag,
  settle: seconds,
  conflict: oneOf('client-wins', 'server-wins', 'reject'),
  maxRemovedShare: ['a share from 0 to 1', value => typeof value === 'number' && value >= 0 && value <= 1],
  passThrough: flag,
  remoteMethods: [
    "a list of 'get' and 'changes'",
    value => Array.isArray(value) && value.every(name => name === 'get' || name === 'changes'),
  ],
  pushNotify: flag,
  queryParameters: [
    'true, false or a list of names',
    value =>
      typeof value === 'boolean' ||
      (Array.isArray(value) && value.every(name => typeof name === 'string' && name !== '')),
  ],
  belongsTo: [
    'an object of attribute to source name',
    value =>
      typeof value === 'object' && value !== null && Object.values(value).every(name => typeof name === 'string'),
  ],
  timeout: wait,
  queryTimeout: wait,
}

/**
 * Validates a source and fills in defaults. Throws `value_not_allowed` for an unknown member or an invalid value.
 *
 * @example
 * ```ts
 * const visits = defineSource<{ city: string; note?: string }>({
 *   name: 'Visit',
 *   pollInterval: 60,
 *   query: async ({ user, signal }) => shop.visitsOf(user, { signal }),
 *   create: async (attributes, { user }) => ({ id: await shop.addVisit(user, attributes) }),
 *   update: (id, changes) => shop.changeVisit(id, changes),
 *   delete: id => shop.removeVisit(id),
 * })
 * ```
 */
export function defineSource<A extends object = Attributes>(definition: SourceDefinition<A>): Source<A> {
  const { feed, ...rest } = definition
  const methods: Partial<Record<keyof SourceMethods<A>, unknown>> = {}
  const settings: Partial<Record<keyof SourceSettings, unknown>> = { ...DEFAULTS }
  if (feed !== undefined) settings.pollInterval = -1
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue
    if ((METHODS as readonly string[]).includes(name))
      methods[name as keyof SourceMethods<A>] = method(definition, name)
    else settings[name as keyof SourceSettings] = setting(definition.name, name, value)
  }
  setting(String(definition.name), 'name', definition.name)
  checkReads(definition)
  if (settings.passThrough === true) checkPassThrough(definition)
  checkBy(definition)
  if (settings.by !== undefined) settings.partition = 'by'
  settings.queryParameters ??= settings.partition === 'user' && methods.partitionName === undefined
  return {
    ...(settings as unknown as SourceSettings),
    methods: methods as SourceMethods<A>,
    ...(feed !== undefined && { feed }),
  }
}

/** Throws for a feed that is not one, and for what would never be read: a feed needs `query` for partitions that it does not know yet. */
function checkReads<A>({ name, feed, query, changes, reconcileInterval = -1 }: SourceDefinition<A>): void {
  const flaw = (text: string) => new SyncError('value_not_allowed', `The source ${name}: ${text}`)
  if (feed !== undefined) {
    if (typeof (feed as { readonly open?: unknown } | null)?.open !== 'function')
      throw flaw('expected feed to have a function open, got none.')
    if (query === undefined) throw flaw('expected query beside feed, got none. It reads partitions that devices open.')
    if (changes !== undefined) throw flaw('expected feed or changes, got both. Define one of them.')
  }
  if (reconcileInterval > 0 && (query === undefined || (feed === undefined && changes === undefined)))
    throw flaw(
      'expected reconcileInterval on a source with query and changes or feed, got it without. Use pollInterval.',
    )
}

/** Throws for settings that contradict `by`, for a source with `by` that no user may see, and for functions that only such a source has. */
function checkBy<A>(definition: SourceDefinition<A>): void {
  const { name, by } = definition
  const flaw = (text: string) => new SyncError('value_not_allowed', `The source ${name}: ${text}`)
  const access = (['partitionsOf', 'allow'] as const).filter(method => definition[method] !== undefined)
  if (by === undefined) {
    if (access.length === 0) return
    throw flaw(`expected by beside ${access.join(' and ')}, got none. It names the attributes of a partition.`)
  }
  const came = (['partition', 'partitionName', 'queryParameters', 'passThrough'] as const).filter(
    setting => definition[setting] !== undefined && definition[setting] !== false,
  )
  if (came.length > 0)
    throw flaw(`expected by without ${came.join(', ')}, got both. The attributes in by name the partitions.`)
  if (access.length === 0)
    throw flaw('expected partitionsOf or allow beside by, got neither. Without them, no user may see a partition.')
}

/** Throws for options that need stored content, which a pass-through source does not have: conflict policies, bulk files and blobs. */
function checkPassThrough<A>(definition: SourceDefinition<A>): void {
  const { name, conflict = 'client-wins', syncType = 'incremental' } = definition
  const came = [
    conflict === 'client-wins' ? [] : [`conflict '${conflict}'`],
    syncType === 'incremental' ? [] : [`syncType '${syncType}'`],
    (['resolve', 'storeBlob', 'get', 'changes', 'feed'] as const).filter(method => definition[method] !== undefined),
  ].flat()
  if (came.length === 0) return
  const hint =
    'Nothing of its objects is kept: conflicts are left to the backend, and there are neither files nor blobs.'
  throw new SyncError(
    'value_not_allowed',
    `The source ${name}: expected passThrough alone, got ${came.join(', ')} beside it. ${hint}`,
  )
}

function setting(source: string, name: string, value: unknown): unknown {
  const rule = ruleOf(RULES, name)
  if (rule === undefined) {
    const known = [...Object.keys(RULES), ...METHODS, 'feed'].join(', ')
    throw new SyncError('value_not_allowed', `The source ${source}: expected some of ${known}, got "${name}".`)
  }
  if (rule[1](value)) return value
  throw new SyncError(
    'value_not_allowed',
    `${name} of the source ${source}: expected ${rule[0]}, got ${JSON.stringify(value)}.`,
  )
}

/** Bound to the definition, so that an instance of a class works too. */
function method(definition: object, name: string): unknown {
  const value = (definition as Record<string, unknown>)[name]
  if (typeof value === 'function') return value.bind(definition)
  throw new SyncError('value_not_allowed', `${name} of a source: expected a function, got ${typeof value}.`)
}

/** True if a source may have this name. */
export function isSourceName(value: unknown): boolean {
  return typeof value === 'string' && /^[^/]{1,128}$/s.test(value)
}
