import { useEffect, useRef, useState } from 'react'
import { device } from '../device.js'
import type { VisitRow } from '../rows.js'

/** Milliseconds in which a removal can be undone. */
const UNDO_DURATION = 6_000

/** Hides visits and removes them later, so that the last removal can be undone. */
export function useRemoval() {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<VisitRow>()
  const isKept = useRef(false)

  // When the list or page goes away, the removal can no longer be undone.
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
