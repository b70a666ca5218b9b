import { useState } from 'react'

const KEY = 'things-to-try'

/** A few steps that show what the demo is about, until they are dismissed. */
export function ThingsToTry() {
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(KEY) === 'dismissed')
  if (isDismissed) return null

  function dismiss(): void {
    localStorage.setItem(KEY, 'dismissed')
    setDismissed(true)
  }
  return (
    <section className="try" aria-label="Things to try">
      <header>
        <strong>Things to try</strong>
        <button type="button" className="icon" aria-label="Hide the things to try" onClick={dismiss}>
          ×
        </button>
      </header>
      <ol>
        <li>Turn the network off, add a visit, and reload the page. The visit is still here.</li>
        <li>Turn the network on again. The visit is sent.</li>
        <li>Open a second window. Each change appears there immediately.</li>
        <li>Give a visit six stars. The backend refuses it, and you decide what to do.</li>
      </ol>
    </section>
  )
}
