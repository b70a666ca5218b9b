import { useEffect, useRef, useState } from 'react'
import { device } from '../device.js'
import type { VisitRow } from '../rows.js'

/** Milliseconds in which a removed visit can be had back. */
const UNDO_DURATION = 6_000

/** Removes visits a while after they were hidden, so that the last of them can be had back. */
export function useRemoval() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<VisitRow>()
  const isKept = useRef(false)

  // A list or a page that goes away ends the time for second thoughts.
  useEffect(() => {
    if (last === undefined) return
    const end = () => void device.models.Visit.destroy(last.id).catch(() => undefined)
    const timer = setTimeout(() => setLast(undefined), UNDO_DURATION)
    isKept.current = false
    addEventListener('pagehide', end, { once: true })
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', end)
      if (!isKept.current) end()
    }
  }, [last])

  return {
    hidden,
    last,
    remove(visit: VisitRow) {
      setHidden(new Set([...hidden, visit.id]))
      setLast(visit)
    },
    undo() {
      isKept.current = true
      setHidden(new Set([...hidden].filter(id => id !== last?.id)))
      setLast(undefined)
    },
  }
}
