import { useQuery, useSyncStatus } from '@godwit/react'
import { useEffect, useState } from 'react'
import { device } from '../device.js'
import type { VisitRow } from '../rows.js'
import { Stars } from './stars.js'
import type { Place } from './visit-editor.js'

/** Milliseconds in which a removed visit can be had back. */
const UNDO = 6_000

interface VisitListProps {
  readonly onEdit: (place: Place) => void
  readonly onEmpty: () => void
}

/** The user's visits, the latest first. */
export function VisitList({ onEdit, onEmpty }: VisitListProps) {
  const { rows, status, error } = useQuery(device.models.Visit, { with: { city: true }, order: { visitedAt: 'desc' } })
  const unsent = useUnsent()
  const [removed, setRemoved] = useState<VisitRow>()

  useEffect(() => {
    if (removed === undefined) return
    const timer = setTimeout(() => {
      setRemoved(undefined)
      void device.models.Visit.destroy(removed.id)
    }, UNDO)
    return () => clearTimeout(timer)
  }, [removed])

  function remove(visit: VisitRow): void {
    if (removed !== undefined) void device.models.Visit.destroy(removed.id)
    setRemoved(visit)
  }

  if (status === 'failed')
    return (
      <p className="failure" role="alert">
        {error.message}
      </p>
    )
  const shown = rows.filter(({ id }) => id !== removed?.id)
  return (
    <>
      <h2>
        Your visits <span className="quiet">{shown.length}</span>
      </h2>
      {status === 'ready' && shown.length === 0 && (
        <div className="empty">
          <p>No visits yet. Find a city, and say how it was.</p>
          <button type="button" onClick={onEmpty}>
            Find a city
          </button>
        </div>
      )}
      <ul className="visits">
        {shown.map(visit => (
          <li key={visit.id}>
            <button type="button" className="visit" onClick={() => onEdit({ city: visit.city, visit })}>
              <strong>{visit.city?.name ?? 'A city that is not here yet'}</strong>
              <Stars rating={visit.rating} />
              <span className="note">{visit.note || 'No note'}</span>
              <time dateTime={visit.visitedAt.toISOString()}>
                {visit.visitedAt.toLocaleDateString('en', { dateStyle: 'medium' })}
              </time>
              {unsent.has(visit.id) && <span className="badge">not sent yet</span>}
            </button>
            <button
              type="button"
              className="icon"
              aria-label={`Remove the visit to ${visit.city?.name}`}
              onClick={() => remove(visit)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {removed && (
        <div className="toast" role="status">
          Removed the visit to {removed.city?.name}.
          <button type="button" onClick={() => setRemoved(undefined)}>
            Undo
          </button>
        </div>
      )}
    </>
  )
}

/** The ids of visits with changes that the server has not decided. */
function useUnsent(): ReadonlySet<string> {
  const { waiting } = useSyncStatus()
  const [unsent, setUnsent] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    let isOver = false
    device.changes('Visit').then(
      changes => !isOver && setUnsent(new Set(changes.map(({ object }) => object))),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [waiting])
  return unsent
}
