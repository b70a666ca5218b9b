import { useSyncExternalStore } from 'react'
import { device } from '../device.js'

const KEY = 'offline'

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  return () => removeEventListener('storage', onChange)
}

/** True while the network is switched off, in any window. */
export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === 'yes')

/** Switches the network off for the device. Shows the state that the device has adopted, which does not change while the owner's tab is silent. */
export function NetworkSwitch() {
  const isOffline = useIsOffline()

  async function turn(): Promise<void> {
    await device.actions.setOffline(!isOffline)
    localStorage.setItem(KEY, isOffline ? 'no' : 'yes')
    // Other windows receive the event from the browser.
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
      Network
    </button>
  )
}
