import type { ProcessState, ServerState, Warning } from '@godwit/protocol'
import { feedReports } from '../../backend/feeds/feed-reports.js'
import { readAppServer } from '../../backend/sources/app-server.js'
import type { AdminEngine } from '../admin-engine.js'
import type { Levels } from '../measure/levels.js'
import { REQUEST_SECONDS } from '../measure/metrics.js'
import type { Figures } from '../measure/process-figures.js'
import { quantile } from '../measure/quantile.js'
import type { StrayErrorCount } from '../measure/stray-errors.js'
import { removalsState } from './partition-state.js'
import { removalWarnings } from './removal-warnings.js'

/** The number of partitions whose removals are listed at most. */
const MAX_REMOVALS = 100

type StateEngine = Pick<
  AdminEngine,
  'store' | 'sources' | 'log' | 'levels' | 'storeHealth' | 'figures' | 'backend' | 'limits'
>

/** Returns the state of the server with warnings for the operator. */
export async function serverState(engine: StateEngine): Promise<ServerState> {
  const [levels, processes] = await Promise.all([engine.levels.read(), engine.figures.all()])
  const { users, devices, bytes, persists, intact, undecided, refusals, removals } = levels
  const jobs = { waiting: 0, running: 0, dead: 0 }
  for (const states of levels.jobs.values())
    for (const state of ['waiting', 'running', 'dead'] as const) jobs[state] += states[state]
  return {
    ...stateOf(processes[0] as Figures),
    streams: processes.reduce((sum, { streams }) => sum + streams, 0),
    processes: processes.map(stateOf),
    store: { bytes: bytes ?? null, persists: persists ?? null, intact: intact ?? null },
    users,
    clients: devices,
    undecided,
    refusals,
    jobs,
    queues: [...levels.jobs]
      .map(([queue, { waiting, running, dead }]) => ({ queue, waiting, running, dead }))
      .sort((one, other) => (one.queue < other.queue ? -1 : 1)),
    pending_removals: removals.slice(0, MAX_REMOVALS).map(({ source, partition, pending, accepted }) => ({
      ...{ source, partition },
      ...removalsState(pending, accepted),
    })),
    requests: [...requestsOf(processes)].map(([route, counts]) => summaryOf(route, counts)),
    failures: failuresOf(processes),
    warnings: [...(await warningsOf(engine, { ...levels, dead: jobs.dead })), ...strayWarnings(processes)],
  }
}

const stateOf = ({ process, version, started_at, streams }: Figures): ProcessState => ({
  process,
  version,
  started_at,
  streams,
})

const summaryOf = (route: string, counts: readonly number[]): ServerState['requests'][number] => ({
  route,
  count: counts.reduce((sum, one) => sum + one, 0),
  p50: quantile(counts, REQUEST_SECONDS, 0.5),
  p95: quantile(counts, REQUEST_SECONDS, 0.95),
  p99: quantile(counts, REQUEST_SECONDS, 0.99),
})

/** Pulls by body, as browsers of other origins send them, count as pulls. */
const SAME_ROUTE: ReadonlyMap<string, string> = new Map([['device.pullByBody', 'device.pull']])

/** Adds the counts of the same route, bucket by bucket. */
function requestsOf(processes: readonly Figures[]): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>()
  for (const [name, counts] of processes.flatMap(({ requests }) => requests)) {
    const route = SAME_ROUTE.get(name) ?? name
    const known = sums.get(route) ?? []
    sums.set(
      route,
      counts.map((count, place) => count + (known[place] ?? 0)),
    )
  }
  return sums
}

function failuresOf(processes: readonly Figures[]): ServerState['failures'] {
  const sums = new Map<string, ServerState['failures'][number]>()
  for (const [route, code, count] of processes.flatMap(({ failures }) => failures)) {
    const key = `${route} ${code}`
    sums.set(key, { route, code, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
}

async function warningsOf(
  engine: StateEngine,
  levels: Levels & { readonly dead: number },
): Promise<readonly Warning[]> {
  const [stored, { adapter_url: address }, used] = await Promise.all([
    engine.storeHealth.warnings(),
    readAppServer(engine),
    engine.backend.address(),
  ])
  return [
    ...stored.map(storeWarning),
    ...levelWarnings(levels),
    ...removalWarnings(levels.removals),
    ...backendWarnings(engine, address, used),
    ...(await feedWarnings(engine)),
    ...(await sourceWarnings(engine, used)),
  ]
}

/** Splits a store's note at the colon into the warning and what to do. */
function storeWarning(storeMessage: string): Warning {
  const at = storeMessage.indexOf(': ')
  return { about: 'store', says: storeMessage.slice(0, at), todo: capitalize(storeMessage.slice(at + 2)) }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Bytes that should be free, regardless of the store's size. */
const MIN_FREE_BYTES = 200 * 1024 ** 2
const MIB = 1024 ** 2

function levelWarnings({
  intact,
  replicas,
  undecided,
  dead,
  bytes = 0,
  free,
}: Levels & { readonly dead: number }): readonly Warning[] {
  const needed = Math.max(MIN_FREE_BYTES, bytes)
  const { in_doubt: doubtful } = undecided
  return [
    warnIf(
      intact === false,
      'store',
      'The last integrity check found that the store is damaged.',
      'Restore a backup: godwit restore.',
    ),
    warnIf(
      replicas !== undefined && replicas.present < replicas.wanted,
      'store',
      `Only ${replicas?.present} of ${replicas?.wanted} replicas are in sync: calls to backends that are not idempotent are delayed.`,
      'Restore the Redis replicas.',
    ),
    warnIf(
      free !== undefined && free < needed,
      'disk',
      `${Math.floor((free ?? 0) / MIB)} MiB of disk space is free, expected at least ${Math.ceil(needed / MIB)} MiB.`,
      'Free some disk space: a full disk stops all writes.',
    ),
    warnIf(
      doubtful > 0,
      'mutations',
      doubtful === 1
        ? '1 mutation is in doubt: the result of its backend call is unknown.'
        : `${doubtful} mutations are in doubt: the results of their backend calls are unknown.`,
      doubtful === 1 ? 'Retry or discard it.' : 'Retry or discard each of them.',
    ),
    warnIf(
      dead > 0,
      'jobs',
      dead === 1
        ? '1 job has failed permanently, after all retries.'
        : `${dead} jobs have failed permanently, after all retries.`,
      'Check their errors, and fix the cause.',
    ),
  ].flat()
}

/** Warns if the configuration names a backend without address, or no longer names that of the address. */
const backendWarnings = (
  { backend }: StateEngine,
  address: string | null,
  used: string | undefined,
): readonly Warning[] =>
  [
    warnIf(
      address !== null && used === undefined,
      'backend',
      `The backend address ${address} is not used: the configuration no longer has a backend.`,
      'Clear the address, set it again, or add backend: { secret } to the configuration.',
    ),
    warnIf(
      backend.isConfigured && address === null,
      'backend',
      'The configuration has a backend, but its address is not set: sources without functions receive objects only by pushes.',
      'Set the address of the backend.',
    ),
  ].flat()

async function feedWarnings(engine: StateEngine): Promise<readonly Warning[]> {
  const silent = (await feedReports(engine)).filter(({ stale_since }) => stale_since !== null)
  return silent.map(({ name, stale_since, error, todo }) => ({
    about: 'feeds',
    says: `The feed ${name} is silent since ${stale_since}: devices do not get what changes in the backend.${error === null ? '' : ` Its last error: ${error}`}`,
    todo: todo ?? '',
  }))
}

async function sourceWarnings({ store, sources }: StateEngine, used: string | undefined): Promise<readonly Warning[]> {
  const all = sources.all()
  const none = warnIf(
    all.length === 0,
    'sources',
    'No sources are configured.',
    'Set SYNC_CONFIG and restart the server.',
  )
  const failing = all.map(async ({ name, partition, pollInterval, methods, isRemote }) => {
    const shared = partition === 'app' ? await store.collections.head({ source: name, partition: '*' }) : undefined
    const error = shared?.sourceError
    const hasQuery = (methods.query ?? methods.changes) !== undefined && !(isRemote && used === undefined)
    return [
      warnIf(
        error !== undefined,
        name,
        `The last query failed: ${error?.message}`,
        'Fix the backend, then refresh the source.',
      ),
      warnIf(
        pollInterval === -1 && hasQuery,
        name,
        'The source has a query and poll_interval -1: a requested query replaces the objects that were pushed.',
        'Remove the query if pushes fill the source, or set a poll_interval.',
      ),
    ].flat()
  })
  return [...none, ...(await Promise.all(failing)).flat()]
}

function strayWarnings(processes: readonly Figures[]): readonly Warning[] {
  const sums = new Map<string, StrayErrorCount>()
  for (const one of processes.flatMap(({ strayErrors = [] }) => strayErrors)) {
    const known = sums.get(one.module)
    const last = known && known.at > one.at ? known : one
    sums.set(one.module, { ...last, count: one.count + (known?.count ?? 0) })
  }
  return [...sums.values()].map(({ module, count, message, at }) => ({
    about: module,
    says: `${count === 1 ? '1 error' : `${count} errors`} outside of any call, most recently at ${at}: ${message}`,
    todo: "Handle the 'error' events of its connections and pools, and await every promise. The server log has each error.",
  }))
}

const warnIf = (holds: boolean, about: string, says: string, todo: string): readonly Warning[] =>
  holds ? [{ about, says, todo }] : []
