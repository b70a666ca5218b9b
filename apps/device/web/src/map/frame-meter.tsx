import { useEffect, useState } from 'react'

/** Milliseconds between two readings. */
const READING_INTERVAL_MS = 500

/** The longest time between two frames in the last half second, which shows how smooth the page stays during a sync. */
export function FrameMeter() {
  const [longest, setLongest] = useState(0)
  useEffect(() => {
    let last = performance.now()
    let since = last
    let most = 0
    let request = requestAnimationFrame(function frame(now) {
      most = Math.max(most, now - last)
      // The first frame after a restart may have begun before it.
      last = Math.max(last, now)
      if (now - since > READING_INTERVAL_MS) {
        setLongest(Math.round(most))
        since = now
        most = 0
      }
      request = requestAnimationFrame(frame)
    })
    // A hidden page draws no frames: the time until it shows again says nothing about the app.
    function restart(): void {
      last = performance.now()
      since = last
      most = 0
    }
    document.addEventListener('visibilitychange', restart)
    return () => {
      cancelAnimationFrame(request)
      document.removeEventListener('visibilitychange', restart)
    }
  }, [])
  const state = longest <= 34 ? 'good' : longest <= 100 ? 'fair' : 'poor'
  return (
    <p className="meter" data-state={state} title="Longest time between two frames in the last half second">
      {longest} ms per frame
    </p>
  )
}
