import { useSyncStatus } from '@godwit/react'
import { useIsOffline } from './network-switch.js'
import { useServerFailure } from './server-failure.js'

/** What to do when the browser gives no more space. */
export const FULL_TEXT =
  'The storage for this page is full, and new changes cannot be saved. Delete photos or files on this device, or the data of other websites in the settings of the browser, and try again.'

/** What somebody has to know before they write: what this device cannot keep, and what it waits for. */
export function StorageNotice() {
  const { storage, problem, waiting } = useSyncStatus()
  const isOffline = useIsOffline()
  const isFailing = useServerFailure()
  const text = problem
    ? 'Another tab has this device and does not answer. Show that tab, or close it.'
    : storage === 'memory'
      ? 'This window keeps nothing: what you write is gone when it closes, unless it was sent.'
      : storage === 'full'
        ? FULL_TEXT
        : isFailing && !isOffline
          ? `The server answers with an error. ${waiting > 0 ? 'What you wrote is kept here, and sent again by itself.' : 'This device asks again by itself.'}`
          : undefined
  return text === undefined ? null : (
    <p className="notice" role="status">
      {text}
    </p>
  )
}
