/** Returns the capability that the page lacks for sharing a device on disk; undefined if it lacks none. */
export function missingCapability(): string | undefined {
  if (typeof Worker === 'undefined') return 'this platform has no workers'
  if (!isSecureContext) return 'the page was loaded over plain http; open it over https or from localhost'
  if (!navigator.locks) return 'this browser has no Web Locks'
  if (typeof BroadcastChannel === 'undefined') return 'this browser has no BroadcastChannel'
  if (!navigator.storage?.getDirectory) return 'this browser has no private files'
  return undefined
}
