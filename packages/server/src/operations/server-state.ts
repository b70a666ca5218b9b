import type { ProcessState, ServerState, Warning } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import type { Levels } from '../measure/levels.js'
import { REQUEST_SECONDS } from '../measure/metrics.js'
import type { Figures } from '../measure/process-figures.js'
import { quantile } from '../measure/quantile.js'

type StateEngine = Pick<ServerEngine, 'store' | 'sources' | 'log' | 'levels' | 'storeHealth' | 'figures'>

/** How the server is, and what should be looked after. */
export async function serverState(engine: StateEngine): Promise<ServerState> {
  const [levels, processes] = await Promise.all([engine.levels.read(), engine.figures.all()])
  const { users, devices, bytes, persists, intact, undecided, refusals } = levels
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
    requests: [...requestsOf(processes)].map(([route, counts]) => summaryOf(route, counts)),
    failures: failuresOf(processes),
    warnings: await warningsOf(engine, { ...levels, dead: jobs.dead }),
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

/** Counts of the same route are added, bound by bound. */
function requestsOf(processes: readonly Figures[]): ReadonlyMap<string, readonly number[]> {
  const sums = new Map<string, readonly number[]>()
  for (const [route, counts] of processes.flatMap(({ requests }) => requests)) {
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
  const stored = await engine.storeHealth.check()
  return [...stored.map(ofStore), ...ofLevels(levels), ...(await ofSources(engine))]
}

/** A note says what to do in its own words, behind a colon. */
function ofStore(note: string): Warning {
  const at = note.indexOf(': ')
  return { about: 'store', says: note.slice(0, at), todo: sentence(note.slice(at + 2)) }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function ofLevels({ intact, replicas, undecided, dead }: Levels & { readonly dead: number }): readonly Warning[] {
  return [
    warn(intact === false, 'store', 'The last look at the store found damage.', 'Restore a backup: godwit restore.'),
    warn(
      replicas !== undefined && replicas.present < replicas.wanted,
      'store',
      `Only ${replicas?.present} of ${replicas?.wanted} replicas keep up: calls of backends that are not idempotent are put off.`,
      'Bring the replicas of Redis back.',
    ),
    warn(
      undecided.in_doubt > 0,
      'mutations',
      `${undecided.in_doubt} mutations are in doubt: their backends never said what became of them.`,
      'Retry or discard each of them.',
    ),
    warn(dead > 0, 'jobs', `${dead} jobs failed as often as they may.`, 'See why, and mend what they call.'),
  ].flat()
}

async function ofSources({ store, sources }: StateEngine): Promise<readonly Warning[]> {
  const all = sources.all()
  const none = warn(all.length === 0, 'sources', 'No sources are configured.', 'Set SYNC_CONFIG, and start again.')
  const failing = all.map(async ({ name, partition, pollInterval, methods }) => {
    const shared = partition === 'app' ? await store.collections.head({ source: name, partition: '*' }) : undefined
    const error = shared?.sourceError
    return [
      warn(error !== undefined, name, `Its last query failed: ${error?.message}`, 'Mend its backend, then refresh it.'),
      warn(
        pollInterval === -1 && methods.query !== undefined,
        name,
        'It has a query and poll_interval -1: a query that somebody asks for replaces what pushes brought.',
        'Leave out the query where pushes fill the source, or give it a poll_interval.',
      ),
    ].flat()
  })
  return [...none, ...(await Promise.all(failing)).flat()]
}

const warn = (holds: boolean, about: string, says: string, todo: string): readonly Warning[] =>
  holds ? [{ about, says, todo }] : []
