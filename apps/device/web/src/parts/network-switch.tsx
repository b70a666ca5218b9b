import { useSyncExternalStore } from 'react'
import { device } from '../device.js'

const KEY = 'offline'

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}

/** True while somebody has switched the network off, in any window. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === 'yes')

/** Switches the network off for the device, as a tunnel does. Shows what the device has taken on: beside a silent tab nothing changes. */
export function NetworkSwitch() {
  const isOffline = useIsOffline()

  async function turn(): Promise<void> {
    await device.actions.setOffline(!isOffline)
    localStorage.setItem(KEY, isOffline ? 'no' : 'yes')
    // Other windows hear of the change by themselves.
    dispatchEvent(new StorageEvent('storage', { key: KEY }))
  }

  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={!isOffline}
      onClick={() => void turn().catch(() => undefined)}
    >
      <span aria-hidden="true" />
      {isOffline ? 'Offline' : 'Online'}
    </button>
  )
}
