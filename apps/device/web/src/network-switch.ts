const CACHE = 'field-visits-network'
const OFF_KEY = '/network-is-off'
/** Paths of the sync server. The service worker serves the app's own files. */
const SERVER_PATHS = /^\/(app|rc)\//

/** Makes the device of this worker behave as if there were no network. The choice survives a reload. */
export function networkSwitch(scope: typeof globalThis) {
  const real = scope.fetch.bind(scope)
  const running = new Set<AbortController>()
  let isOff = caches.match(OFF_KEY).then(Boolean)

  scope.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, scope.location.href)
    if (!SERVER_PATHS.test(pathname)) return real(input, init)
    if (await isOff) throw new TypeError('The network is turned off. Turn it on again.')
    const ending = new AbortController()
    init?.signal?.addEventListener('abort', () => ending.abort(init.signal?.reason), { once: true })
    if (init?.signal?.aborted) ending.abort(init.signal.reason)
    running.add(ending)
    return real(input, { ...init, signal: ending.signal })
  }

  return async (next: boolean): Promise<void> => {
    isOff = Promise.resolve(next)
    const cache = await caches.open(CACHE)
    await (next ? cache.put(OFF_KEY, new Response()) : cache.delete(OFF_KEY))
    if (next) for (const ending of running) ending.abort(new TypeError('The network is turned off. Turn it on again.'))
    running.clear()
    if (!next) scope.dispatchEvent(new Event('online'))
  }
}
