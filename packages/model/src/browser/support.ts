/** What keeps a page from sharing a device on disk. Undefined: nothing. */
export function lackOf(): string | undefined {
  if (typeof Worker !== 'function') return 'this platform has no workers'
  if (!isSecureContext) return 'the page came over plain http: open it over https, or as localhost'
  if (!navigator.locks) return 'this browser has no Web Locks'
  if (typeof BroadcastChannel !== 'function') return 'this browser has no BroadcastChannel'
  return typeof navigator.storage?.getDirectory === 'function' ? undefined : 'this browser keeps no private files'
}
