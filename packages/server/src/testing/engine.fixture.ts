import type { Source } from '@godwit/source'
import { openMemoryJobs, openMemoryStore, type Store } from '@godwit/store'
import type { ReplyBudget } from '../accounts/quota/reply-budget.js'
import type { ClientRecord } from '../accounts/users/client-record.js'
import { userValue } from '../accounts/users/user-record.js'
import { Auditor } from '../admin/audit/auditor.js'
import { Metrics } from '../admin/measure/metrics.js'
import type { ListeningEngine } from '../backend/query/due-queries.js'
import { createSourceList } from '../backend/sources/source-list.js'
import { DEFAULT_LIMITS, type Limits } from '../base/limits.js'
import { silentLog } from '../base/log.js'
import { silentReporter } from '../base/reporter.js'
import type { DeviceEngine } from '../device/device-engine.js'
import { processMemory } from '../start/process-memory.js'

/** An engine for unit tests: a memory store, a clock under the test's control, counted ids. */
export interface TestEngine extends ListeningEngine, DeviceEngine {
  readonly metrics: Metrics
  readonly auditor: Auditor
  readonly replyBudget: ReplyBudget
  readonly authenticate: undefined
  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void
  stop(): void
}

export async function testEngine(
  // biome-ignore lint/suspicious/noExplicitAny: sources of different attributes
  sources: readonly Source<any>[],
  { limits = {}, store: stored }: { limits?: Partial<Limits>; store?: Store } = {},
): Promise<TestEngine> {
  let now = 1_700_000_000_000
  let ids = 0
  const clock = (): number => now
  const randomId = (): string => `id-${String(++ids).padStart(8, '0')}`
  const store = stored ?? openMemoryStore({ clock, randomId })
  for (const login of USERS) await store.registry.create('user', { id: login, value: userOf(login) })
  const stopping = new AbortController()
  const given = { store, clock, log: silentLog, limits: { ...DEFAULT_LIMITS, ...limits }, stopping: stopping.signal }
  return {
    ...processMemory(given),
    ...given,
    sources: await createSourceList(sources, store),
    jobs: openMemoryJobs({ clock }),
    randomId,
    auditor: new Auditor(given),
    reporter: silentReporter,
    metrics: new Metrics(),
    holder: 'test',
    authenticate: undefined,
    isUser: async login => (await store.registry.get('user', login)) !== undefined,
    hub: { logins: () => [], isListening: () => false, onChange: () => {}, refresh: () => {} },
    pass(milliseconds) {
      now += milliseconds
    },
    stop: () => stopping.abort(),
  }
}

const USERS = ['ada', 'grace', 'linus']

const userOf = (login: string) =>
  userValue({
    userId: login,
    role: 'device',
    passwordHash: undefined,
    attributes: {},
    createdAt: '2023-11-14T00:00:00Z',
  })

export const testClient = (id = 'client-1', user = 'ada', nonce = 'n'): ClientRecord => ({
  id,
  user,
  nonces: { '*': nonce },
  collections: new Set(),
  positions: new Map(),
  sent: new Map(),
})
