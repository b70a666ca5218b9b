import type { DeviceStatus } from '@godwit/model'
import { useSyncStatus } from '@godwit/react'
import { device } from '../device.js'
import { NetworkSwitch, useIsOffline } from './network-switch.js'
import { Wordmark } from './wordmark.js'

interface TopBarProps {
  readonly showsHappenings: boolean
  readonly onHappenings: () => void
}

export function TopBar({ showsHappenings, onHappenings }: TopBarProps) {
  const status = useSyncStatus()
  return (
    <header className="top-bar">
      <Wordmark />
      <SyncNote />
      <NetworkSwitch />
      <button type="button" className="plain" aria-expanded={showsHappenings} onClick={onHappenings}>
        What just happened
      </button>
      <button
        type="button"
        className="plain"
        onClick={() => void device.logout()}
        title={`Signed in as ${status.userName}`}
      >
        Sign out<span className="wide"> {status.userName}</span>
      </button>
    </header>
  )
}

/** One line: what the device is doing, and what waits. */
function SyncNote() {
  const status = useSyncStatus()
  const { waiting, storage } = status
  const { text, state } = noteOf(status, useIsOffline())
  return (
    <p className="sync-note" role="status" data-state={state}>
      {waiting === 0 ? text : `${text} · ${waiting} waiting`}
      {storage === 'memory' && ' · kept in memory only'}
    </p>
  )
}

function noteOf({ problem, syncing, online }: DeviceStatus, isOffline: boolean) {
  if (problem) return { text: 'Another tab does not answer: show it or close it', state: 'off' }
  if (isOffline) return { text: 'Offline', state: 'off' }
  // A reload syncs by itself: until a request was tried, nothing is known of the connection.
  if (syncing || online === null) return { text: 'Syncing…', state: online === false ? 'off' : 'busy' }
  return online ? { text: 'Up to date', state: 'good' } : { text: 'No connection', state: 'off' }
}
