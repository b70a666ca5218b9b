import { useSyncExternalStore } from 'react'
import { happenings } from '../happenings.js'

/** What the device tells about itself, as it happens. */
export function Happenings({ onClose }: { readonly onClose: () => void }) {
  const all = useSyncExternalStore(happenings.subscribe, happenings.current)
  return (
    <aside className="happenings" aria-label="What just happened">
      <header>
        <h2>What just happened</h2>
        <button type="button" className="icon" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {all.length === 0 && (
        <p className="quiet">Nothing since this page was opened. Change something, here or in another window.</p>
      )}
      <ol>
        {all.map(({ key, at, text }) => (
          <li key={key}>
            <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en', { hour12: false })}</time> {text}
          </li>
        ))}
      </ol>
    </aside>
  )
}
