import { isPartitionParameters, type PartitionParameters, parametersName, SyncError } from '@godwit/protocol'
import { type AccessContext, failure, type Source } from '@godwit/source'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { BackendEngine } from '../backend-engine.js'
import { type CallEngine, callSource } from '../sources/call-source.js'
import type { AccessCache, ListedPartitions } from './access-cache.js'

/** The parts of the engine that decide about access. */
export type AccessEngine = CallEngine & Pick<BackendEngine, 'clock'> & { readonly accessCache: AccessCache }

/** A user and a partition. */
export interface PartitionOfUser {
  /** The login. */
  readonly user: string
  readonly parameters: PartitionParameters
}

/** Returns the partitions that the source lists for a user; those of the last `limits.allowCache` seconds, if they were asked for in that time. */
export async function listedPartitions(engine: AccessEngine, source: Source, user: string): Promise<ListedPartitions> {
  await engine.accessCache.listen()
  const known = engine.accessCache.of(user).listed.get(source.name)
  return known !== undefined && isFresh(engine, known.until) ? known : askForList(engine, source, user)
}

/** Returns true if the user may see the partition. What was remembered can only allow: a refusal is always the present answer of the source. */
export async function isAllowed(
  engine: AccessEngine,
  source: Source,
  { user, parameters }: PartitionOfUser,
): Promise<boolean> {
  await engine.accessCache.listen()
  const access = engine.accessCache.of(user)
  const key = keyOf(source, parameters)
  const until = access.allowed.get(key)
  if (until !== undefined && isFresh(engine, until)) return true
  access.allowed.delete(key)
  const allowed = await askWhetherAllowed(engine, source, { user, parameters })
  if (allowed) access.allowed.set(key, engine.clock() + engine.limits.allowCache * 1000)
  return allowed
}

/** What a source says of a user's access, in one evaluation. */
export interface JudgedPartitions {
  readonly listed: ListedPartitions
  /** For each partition in question whether the user may see it, or the error of the source. */
  readonly verdicts: readonly (boolean | Error)[]
}

/** The number of calls of `allow` at once. */
const AT_ONCE = 8

/** Judges many partitions of a user, with at most one new list, and returns that list. Throws if the source cannot list the user's partitions. */
export async function judgePartitions(
  engine: AccessEngine,
  source: Source,
  user: string,
  all: readonly PartitionParameters[],
): Promise<JudgedPartitions> {
  await engine.accessCache.listen()
  const known = engine.accessCache.of(user).listed.get(source.name)
  const remembered = known !== undefined && isFresh(engine, known.until) ? known : undefined
  const listed = remembered ?? (await askForList(engine, source, user))
  if (source.methods.allow !== undefined) {
    const limiter = new ConcurrencyLimiter(AT_ONCE)
    const judge = (parameters: PartitionParameters) =>
      isAllowed(engine, source, { user, parameters }).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      )
    return { listed, verdicts: await Promise.all(all.map(one => limiter.run(() => judge(one)))) }
  }
  const names = all.map(parametersName)
  const isStale = remembered !== undefined && names.some(name => !listed.names.has(name))
  const present = isStale ? await askForList(engine, source, user) : listed
  return { listed: present, verdicts: names.map(name => present.names.has(name)) }
}

/** The error if a user may not see a partition. */
export const notAllowedError = (source: string, parameters: PartitionParameters): SyncError =>
  new SyncError(
    'partition_not_allowed',
    `You may not see the partition ${parametersName(parameters)} of ${source}: ask for access to it, or unsubscribe.`,
  )

const keyOf = ({ name }: Source, parameters: PartitionParameters): string => JSON.stringify([name, parameters])

/** A time further away than the cache keeps anything is from before the clock was set back. */
function isFresh({ clock, limits }: AccessEngine, until: number): boolean {
  const left = until - clock()
  return left > 0 && left <= limits.allowCache * 1000
}

async function askWhetherAllowed(
  engine: AccessEngine,
  source: Source,
  { user, parameters }: PartitionOfUser,
): Promise<boolean> {
  const { allow } = source.methods
  if (allow !== undefined)
    return (await ask(engine, source, user, context => allow({ ...context, parameters }))) === true
  const name = parametersName(parameters)
  const known = engine.accessCache.of(user).listed.get(source.name)
  if (known !== undefined && isFresh(engine, known.until) && known.names.has(name)) return true
  return (await askForList(engine, source, user)).names.has(name)
}

async function askForList(engine: AccessEngine, source: Source, user: string): Promise<ListedPartitions> {
  const { listed } = engine.accessCache.of(user)
  const { partitionsOf } = source.methods
  const partitions = partitionsOf === undefined ? [] : await ask(engine, source, user, partitionsOf)
  const list = checkList(source, partitions)
  listed.set(source.name, { ...list, until: engine.clock() + engine.limits.allowCache * 1000 })
  return list
}

/** Throws an error for the devices if the source returned anything but parameters that fit `by`. */
function checkList({ name, by = [] }: Source, given: unknown): ListedPartitions {
  const expected = `expected partitionsOf of ${name} to return a list of { ${by.join(', ')} }`
  if (!Array.isArray(given)) throw failure(`${expected}, got ${typeof given}.`)
  const wrong = given.findIndex(one => !isPartitionParameters(one, by))
  if (wrong >= 0) throw failure(`${expected}, got another value at ${wrong}.`)
  const byName = new Map(
    (given as readonly PartitionParameters[]).map(parameters => [parametersName(parameters), parameters]),
  )
  return { partitions: [...byName.values()], names: new Set(byName.keys()) }
}

const ask = <T>(
  engine: AccessEngine,
  source: Source,
  user: string,
  run: (context: AccessContext) => T | Promise<T>,
): Promise<T> => callSource(engine, { source, user, partition: '*', timeout: source.timeout }, run).beforeTimeout
