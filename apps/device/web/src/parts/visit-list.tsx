import type { BlobRef } from '@godwit/model'
import { useBlobUrl, useQuery, useSyncStatus } from '@godwit/react'
import { useEffect, useState } from 'react'
import { device } from '../device.js'
import type { VisitRow } from '../rows.js'
import { useServerFailure } from './server-failure.js'
import { Stars } from './stars.js'
import type { Undoable } from './use-undoable.js'
import type { VisitSubject } from './visit-editor.js'

interface VisitListProps {
  readonly removal: Undoable<VisitRow>
  readonly onEdit: (place: VisitSubject) => void
  readonly onEmpty: () => void
}

/** The user's visits, latest first. */
export function VisitList({ removal, onEdit, onEmpty }: VisitListProps) {
  const { rows, status, error } = useQuery(device.models.Visit, { with: { city: true }, order: { visitedAt: 'desc' } })
  const unsent = useUnsentVisits()
  const { isKnown, arrival, isLate } = useArrival()
  const { hidden, last, begin: remove, undo } = removal

  if (status === 'failed')
    return (
      <p className="failure" role="alert">
        {error.message}
      </p>
    )
  const visible = rows.filter(({ id }) => !hidden.has(id))
  return (
    <>
      <h2>
        Your visits{' '}
        {(visible.length > 0 || (isKnown && arrival === undefined)) && (
          <span className="quiet">{visible.length.toLocaleString('en')}</span>
        )}
      </h2>
      {status === 'ready' && isKnown && visible.length === 0 && (
        <div className="empty">
          <p>{arrival ?? 'No visits yet. Find a city to add your first one.'}</p>
          {!isLate && (
            <button type="button" onClick={onEmpty}>
              Find a city
            </button>
          )}
        </div>
      )}
      <ul className="visits">
        {visible.map(visit => (
          <li key={visit.id}>
            <button type="button" className="visit" onClick={() => onEdit({ city: visit.city, visit })}>
              {visit.photo && <Photo blob={visit.photo} of={`Photo of ${visit.city?.name ?? 'a visit'}`} />}
              <span className="words">
                <span className="line">
                  <strong>{visit.city?.name ?? 'City not loaded yet'}</strong>
                  <Stars rating={visit.rating} />
                </span>
                <span className="note">{visit.note || 'No note'}</span>
                <span className="line">
                  <time dateTime={visit.visitedAt.toISOString()}>
                    {visit.visitedAt.toLocaleDateString('en', { dateStyle: 'medium' })}
                  </time>
                  {unsent.has(visit.id) && <span className="badge">not sent yet</span>}
                </span>
              </span>
            </button>
            <button
              type="button"
              className="icon"
              aria-label={`Remove the visit to ${visit.city?.name ?? 'a city'}`}
              onClick={() => remove(visit)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      {last && (
        <div className="toast" role="status">
          Removed the visit to {last.city?.name ?? 'a city'}.
          <button type="button" onClick={undo}>
            Undo
          </button>
        </div>
      )}
    </>
  )
}

/** What is said of the visits of this user until a pass has brought them. */
function useArrival(): { readonly isKnown: boolean; readonly arrival?: string; readonly isLate?: boolean } {
  const { online, syncing, progress } = useSyncStatus()
  const isFailing = useServerFailure()
  const source = progress?.source
  const [isHere, setHere] = useState<boolean>()
  useEffect(() => {
    let isOver = false
    device.refreshTime('Visit').then(
      time => !isOver && setHere(time !== ''),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [syncing, source])
  if (isHere !== false) return { isKnown: isHere === true }
  const isLate = isFailing || online === false
  const arrival = isFailing
    ? 'Your visits will arrive once the server works again.'
    : isLate
      ? 'Your visits will arrive once the server can be reached.'
      : 'Your visits are on their way.'
  return { isKnown: true, arrival, isLate }
}

/** The ids of visits with changes that the server has not decided. */
function useUnsentVisits(): ReadonlySet<string> {
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

/** A photo of a visit, in a space reserved before it is loaded. */
function Photo({ blob, of }: { readonly blob: BlobRef; readonly of: string }) {
  const url = useBlobUrl(blob)
  return <span className="photo">{url === undefined ? null : <img src={url} alt={of} />}</span>
}
