import type { DeviceStatus } from '@godwit/model'
import { useSyncStatus } from '@godwit/react'
import type { ReactNode } from 'react'
import { NetworkSwitch, useIsOffline } from './network-switch.js'
import { NotifyMe } from './notify-me.js'
import { OVERWRITTEN_ID } from './overwritten.js'
import { REFUSALS_ID } from './refusals.js'
import { useServerFailure } from './server-failure.js'
import { SignOut } from './sign-out.js'
import { Wordmark } from './wordmark.js'

interface TopBarProps {
  readonly showsHappenings: boolean
  readonly onHappenings: () => void
}

export function TopBar({ showsHappenings, onHappenings }: TopBarProps) {
  return (
    <header className="top-bar">
      <h1>
        <Wordmark />
      </h1>
      <SyncState />
      <AttentionLinks />
      <NetworkSwitch />
      <button type="button" className="plain happenings" aria-expanded={showsHappenings} onClick={onHappenings}>
        What just happened
      </button>
      <NotifyMe />
      <SignOut />
    </header>
  )
}

/** A line about the sync state and waiting changes. */
function SyncState() {
  const status = useSyncStatus()
  const { waiting } = status
  const { text, state } = syncStateText(status, { isOffline: useIsOffline(), isFailing: useServerFailure() })
  return (
    <p className="sync-note" role="status" data-state={state}>
      <span>{waiting === 0 ? text : `${text} · ${waiting} waiting`}</span>
    </p>
  )
}

/** Lead to what the user has to decide: the list may be scrolled past it. */
function AttentionLinks() {
  const { refused, overwritten } = useSyncStatus()
  return (
    <>
      {refused > 0 && <AttentionLink to={REFUSALS_ID}>{refused} refused</AttentionLink>}
      {overwritten > 0 && <AttentionLink to={OVERWRITTEN_ID}>{overwritten} to compare</AttentionLink>}
    </>
  )
}

function AttentionLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  function show(): void {
    const section = document.getElementById(to)
    section?.focus({ preventScroll: true })
    section?.scrollIntoView()
  }
  return (
    <button type="button" className="refused-link" onClick={show}>
      {children}
    </button>
  )
}

interface Connection {
  readonly isOffline: boolean
  readonly isFailing: boolean
}

function syncStateText({ problem, syncing, online }: DeviceStatus, { isOffline, isFailing }: Connection) {
  if (problem) return { text: 'Waiting for another tab', state: 'off' }
  if (isOffline) return { text: 'Offline', state: 'off' }
  if (syncing) return { text: 'Syncing…', state: online === false ? 'off' : 'busy' }
  // A reload syncs automatically, and a lost event stream is opened again: until then, the state of the connection is unknown.
  if (online === null) return { text: 'Connecting…', state: 'busy' }
  if (isFailing) return { text: 'Server error', state: 'off' }
  return online ? { text: 'Up to date', state: 'good' } : { text: 'No connection', state: 'off' }
}
