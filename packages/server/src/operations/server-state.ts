import type { ServerState, Warning } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import type { Levels } from '../measure/levels.js'
import { checkNotes } from '../store-notes.js'
import { SERVER_VERSION } from '../version.js'

type StateEngine = Pick<ServerEngine, 'store' | 'sources' | 'log' | 'levels' | 'hub' | 'holder' | 'clock' | 'metrics'>

/** How the server is, and what should be looked after. */
export async function serverState(engine: StateEngine): Promise<ServerState> {
  const levels = await engine.levels.read()
  const { users, devices, bytes, persists, intact, undecided } = levels
  const jobs = { waiting: 0, running: 0, dead: 0 }
  for (const states of levels.jobs.values())
    for (const state of ['waiting', 'running', 'dead'] as const) jobs[state] += states[state]
  return {
    version: SERVER_VERSION,
    process: engine.holder,
    started_at: new Date(Math.round(engine.clock() - process.uptime() * 1000)).toISOString(),
    streams: engine.hub.size,
    store: { bytes: bytes ?? null, persists: persists ?? null, intact: intact ?? null },
    users,
    clients: devices,
    undecided,
    jobs,
    requests: engine.metrics.requests
      .quantiles([0.5, 0.95, 0.99])
      .map(([route, count, [p50 = 0, p95 = 0, p99 = 0]]) => ({ route, count, p50, p95, p99 })),
    failures: engine.metrics.failures.samples().map(({ labels, value }) => ({
      route: labels['route'] ?? '',
      code: labels['code'] ?? '',
      count: value,
    })),
    warnings: await warningsOf(engine, { ...levels, dead: jobs.dead }),
  }
}

async function warningsOf(
  engine: StateEngine,
  levels: Levels & { readonly dead: number },
): Promise<readonly Warning[]> {
  const stored = await checkNotes(engine)
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
