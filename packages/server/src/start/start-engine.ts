import { randomBytes } from 'node:crypto'
import { messageOf } from '@godwit/source'
import { openMemoryJobs } from '@godwit/store'
import { ActiveRequests } from '../accounts/access/active-requests.js'
import { LoginThrottle } from '../accounts/access/login-throttle.js'
import { createPasswords } from '../accounts/access/passwords.js'
import { acceptedLogins } from '../accounts/access/token-verifiers.js'
import { PushLimiter } from '../accounts/quota/push-limiter.js'
import { sourceQuotaExceeded } from '../accounts/quota/quota-exceeded.js'
import { ClaimsReader } from '../accounts/users/read-claims.js'
import { findUser } from '../accounts/users/user-record.js'
import { Auditor } from '../admin/audit/auditor.js'
import { LevelReader } from '../admin/measure/levels.js'
import { sourceKey } from '../admin/measure/metric-keys.js'
import { Metrics } from '../admin/measure/metrics.js'
import { type Figures, ProcessFigures } from '../admin/measure/process-figures.js'
import { requestCounts } from '../admin/measure/quantile.js'
import { Statistics } from '../admin/measure/statistics.js'
import { StrayErrors } from '../admin/measure/stray-errors.js'
import { type CallObserver, timedSource } from '../admin/measure/timed-source.js'
import { isLicenseIssued } from '../admin/operations/license.js'
import { PingPeers } from '../admin/ping/ping-peers.js'
import { StoreReporter } from '../admin/watch/reporter.js'
import { WatchHub } from '../admin/watch/watch-hub.js'
import type { ListeningEngine } from '../backend/query/due-queries.js'
import { AddressGuard } from '../backend/sources/address-guard.js'
import { GuardedClient } from '../backend/sources/guarded-client.js'
import { remoteSource } from '../backend/sources/http-source.js'
import { PluginBackend } from '../backend/sources/plugin-backend.js'
import { createSourceList } from '../backend/sources/source-list.js'
import { KeyedQueue } from '../base/keyed-queue.js'
import type { Limits } from '../base/limits.js'
import { silentLog } from '../base/log.js'
import { StoreHealth } from '../base/store-health.js'
import { SERVER_VERSION } from '../base/version.js'
import { removeAbandonedBuilds } from '../device/bulk/build-folder.js'
import { EventHub } from '../device/events/event-hub.js'
import type { EventStreams } from '../device/events/event-streams.js'
import type { HttpEngine } from '../http/http-engine.js'
import { beginStore } from './begin-store.js'
import type { SyncServerOptions } from './options.js'
import { processMemory } from './process-memory.js'

/** Creates the engine from the options: reads the settings and creates the first admin. */
export async function startEngine(
  options: SyncServerOptions & { readonly limits: Limits },
  stopping: AbortSignal,
): Promise<HttpEngine & ListeningEngine> {
  const { store, limits, clock = Date.now, randomId = random128, log = silentLog } = options
  const addressGuard = new AddressGuard({
    allowPrivate: options.allowPrivateBackends ?? false,
    ...(options.resolveName && { resolve: options.resolveName }),
  })
  const backend = new PluginBackend({ options: options.backend, guard: addressGuard, store, clock, randomId })
  const guarded = new GuardedClient(addressGuard)
  const accepted = acceptedLogins(options.auth, { fetch: guarded.fetch, clock, randomId, log })
  const statistics = new Statistics({ store, clock, log })
  const observeCall: CallObserver = ({ method, source, seconds }) =>
    statistics.record(sourceKey(method, source), seconds)
  const holder = randomId()
  const reporter = new StoreReporter({ store, log, clock, process: holder })
  const metrics = new Metrics()
  const base = {
    ...processMemory({ store, clock, log, limits, stopping }),
    store,
    sources: await createSourceList(options.sources, store, {
      dynamic: options.dynamicSources ?? false,
      clock,
      mostOfUser: limits.dynamicSourcesPerUser,
      refusal: most => sourceQuotaExceeded(metrics, most),
      isRemote: async () => backend.isConfigured || (await backend.address()) !== undefined,
      serve: (source, isRemote) => timedSource(isRemote ? remoteSource(backend, source) : source, observeCall),
    }),
    jobs: options.jobs ?? openMemoryJobs({ clock }),
    clock,
    randomId,
    log,
    auditor: new Auditor({ store, log }),
    metrics,
    limits,
    reporter,
    holder,
    stopping,
    authenticate: options.authenticate,
    ...(accepted.tokens.length > 0 && { claims: new ClaimsReader(store.registry, clock) }),
  }
  const hub = new EventHub(base)
  const strayErrors = new StrayErrors({ registry: metrics.registry, clock })
  const engine: HttpEngine & ListeningEngine = {
    ...base,
    hub,
    strayErrors,
    figures: new ProcessFigures({ store, log, process: holder, read: () => figuresOf({ ...base, strayErrors }, hub) }),
    watchHub: new WatchHub(base),
    storeHealth: new StoreHealth({ store, log, isBegun: () => isLicenseIssued({ store }) }),
    levels: new LevelReader(base),
    statistics,
    pushProviders: options.pushProviders ?? {},
    pushes: { queue: new KeyedQueue(), fetch: guarded.secureFetch, fallback: options.pushFallback ?? PUSH_FALLBACK },
    pingPeers: new PingPeers({ events: store.events, streams: hub, log, process: holder, randomId }),
    passwords: createPasswords(limits.passwordCost),
    acceptedLogins: accepted,
    activeRequests: new ActiveRequests(),
    pushLimiter: new PushLimiter(base),
    addressGuard,
    throttle: new LoginThrottle({ store, clock }),
    backend,
    isUser: async login => (await findUser(store.registry, login)) !== undefined,
    metricsToken: options.metricsToken,
    licensee: options.licensee ?? 'Anyone may use this server under the Apache License 2.0.',
    resetAllowed: options.resetAllowed ?? false,
    adminLogin: options.admin?.login,
    beginStore: () => beginStore(engine, options),
    logRequests: options.logRequests ?? false,
    origins: options.origins ?? [],
    trustProxy: options.trustProxy ?? false,
  }
  await engine.beginStore()
  // After the steps that may fail, since each retried start would add another listener.
  const close = (): void => {
    backend.close()
    guarded.close()
  }
  if (stopping.aborted) close()
  else stopping.addEventListener('abort', close, { once: true })
  removeAbandonedBuilds().catch(error =>
    log.warn({ error: messageOf(error) }, 'could not remove bulk files that a killed process left'),
  )
  return engine
}

const PUSH_FALLBACK = 'There is news.'

const random128 = (): string => randomBytes(16).toString('base64url')

/** Returns the figures of this process since its start. */
async function figuresOf(
  { holder, clock, metrics, strayErrors }: Pick<HttpEngine, 'holder' | 'clock' | 'metrics' | 'strayErrors'>,
  streams: Pick<EventStreams, 'size'>,
): Promise<Figures> {
  const [requests, failures] = await Promise.all([requestCounts(metrics.requests), metrics.failures.get()])
  return {
    process: holder,
    version: SERVER_VERSION,
    started_at: new Date(Math.round(clock() - process.uptime() * 1000)).toISOString(),
    streams: streams.size,
    requests,
    failures: failures.values.map(({ labels, value }) => [String(labels.route), String(labels.code), value]),
    strayErrors: strayErrors.all(),
  }
}
