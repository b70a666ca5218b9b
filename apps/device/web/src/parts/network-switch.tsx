import { useSyncExternalStore } from 'react'
import { device } from '../device.js'

const KEY = 'offline'

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}

/** True while somebody has switched the network off, in any window. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === 'yes')

/** Switches the network off for the device, as a tunnel does. */
export function NetworkSwitch() {
  const isOffline = useIsOffline()

  function turn(): void {
    localStorage.setItem(KEY, isOffline ? 'no' : 'yes')
    // Other windows hear of the change by themselves.
    dispatchEvent(new StorageEvent('storage', { key: KEY }))
    void device.actions.setOffline(!isOffline)
  }

  return (
    <button type="button" className="switch" role="switch" aria-checked={!isOffline} onClick={turn}>
      <span aria-hidden="true" />
      {isOffline ? 'Offline' : 'Online'}
    </button>
  )
}
