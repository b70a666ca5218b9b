import { useSyncStatus } from '@godwit/react'
import { useState } from 'react'
import { device } from '../device.js'
import { Wordmark } from './wordmark.js'

interface TopBarProps {
  readonly showsHappenings: boolean
  readonly onHappenings: () => void
}

export function TopBar({ showsHappenings, onHappenings }: TopBarProps) {
  const status = useSyncStatus()
  const [isOffline, setOffline] = useState(() => localStorage.getItem('offline') === 'yes')

  function turn(): void {
    localStorage.setItem('offline', isOffline ? 'no' : 'yes')
    setOffline(!isOffline)
    void device.actions.setOffline(!isOffline)
  }

  return (
    <header className="top-bar">
      <Wordmark />
      <SyncNote isOffline={isOffline} />
      <button type="button" className="switch" role="switch" aria-checked={!isOffline} onClick={turn}>
        <span aria-hidden="true" />
        {isOffline ? 'Offline' : 'Online'}
      </button>
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
function SyncNote({ isOffline }: { readonly isOffline: boolean }) {
  const { syncing, waiting, online, storage, problem } = useSyncStatus()
  const waits = waiting === 0 ? undefined : `${waiting} waiting`
  // A reload syncs by itself: until a request was tried, nothing is known of the connection.
  const isSyncing = syncing || online === null
  const state = isOffline ? 'Offline' : isSyncing ? 'Syncing…' : online ? 'Up to date' : 'No connection'
  return (
    <p
      className="sync-note"
      role="status"
      data-state={isOffline || online === false ? 'off' : isSyncing ? 'busy' : 'good'}
    >
      {waits === undefined ? state : `${state} · ${waits}`}
      {storage === 'memory' && ' · kept in memory only'}
      {problem && ` · ${problem.message}`}
    </p>
  )
}
