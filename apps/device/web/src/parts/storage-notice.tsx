import { useSyncStatus } from '@godwit/react'
import { useIsOffline } from './network-switch.js'
import { useServerFailure } from './server-failure.js'

/** What to do when the browser gives no more space. */
export const FULL_TEXT =
  'The storage for this page is full, and new changes cannot be saved. Delete photos or files on this device, or the data of other websites in the browser settings, and try again.'

/** What somebody has to know before they write: what this device cannot keep, and what it waits for. */
export function StorageNotice() {
  const { storage, problem, waiting } = useSyncStatus()
  const isOffline = useIsOffline()
  const isFailing = useServerFailure()
  const text = problem
    ? 'Another tab controls this device and does not respond. Switch to that tab, or close it.'
    : storage === 'memory'
      ? 'This window cannot store data. Unsent changes are lost when it closes.'
      : storage === 'full'
        ? FULL_TEXT
        : isFailing && !isOffline
          ? `The server is returning errors. ${waiting > 0 ? 'Your changes are stored on this device and will be sent again automatically.' : 'This device tries again automatically.'}`
          : undefined
  return text === undefined ? null : (
    <p className="notice" role="status">
      {text}
    </p>
  )
}
