import type { BlobRef } from '@godwit/model'
import { useRefusals, useRow } from '@godwit/react'
import { device } from '../device.js'
import type { RefusedVisit, StoredVisit } from '../rows.js'
import { MAX_STARS, Stars } from './stars.js'
import { useUndoable } from './use-undoable.js'
import type { VisitSubject } from './visit-editor.js'

/** Where the top bar leads. */
export const REFUSALS_ID = 'refusals'

interface RefusalsProps {
  readonly onEdit: (place: VisitSubject) => void
}

/** Changes that the backend refused: what was wanted beside what is, and what can be done about it. */
export function Refusals({ onEdit }: RefusalsProps) {
  const { rows } = useRefusals(device.models.Visit)
  const { hidden, last, begin, undo } = useUndoable<RefusedVisit>(refusal => refusal.dismiss())
  const visible = rows.filter(({ id }) => !hidden.has(id))
  return (
    <>
      <RefusalList refusals={visible} onEdit={onEdit} onDismiss={begin} />
      {last && (
        <div className="toast" role="status">
          Refused change dismissed.
          <button type="button" onClick={undo}>
            Undo
          </button>
        </div>
      )}
    </>
  )
}

interface RefusalListProps extends RefusalsProps {
  readonly refusals: readonly RefusedVisit[]
  readonly onDismiss: (refusal: RefusedVisit) => void
}

function RefusalList({ refusals, ...actions }: RefusalListProps) {
  if (refusals.length === 0) return null
  return (
    <section id={REFUSALS_ID} className="refusals" aria-label="Refused changes" tabIndex={-1}>
      {refusals.map(refusal => (
        <Refusal key={refusal.id} refusal={refusal} {...actions} />
      ))}
    </section>
  )
}

const refOf = (stored: string | null | undefined): BlobRef | undefined =>
  stored ? { hash: stored.slice(-64) } : undefined

/** What is shown for the backend where it has no such visit. */
const ABSENT_MESSAGES: { readonly [operation in RefusedVisit['operation']]: string } = {
  create: 'Nothing yet. Your visit stays here until you decide.',
  update: 'Nothing: the visit was removed.',
  delete: 'Nothing: the visit was removed.',
}

function Refusal({
  refusal,
  onEdit,
  onDismiss,
}: Omit<RefusalListProps, 'refusals'> & { readonly refusal: RefusedVisit }) {
  const { row } = useRow(device.models.Visit, refusal.object)
  // A refusal has the names and values of the server.
  const wanted = refusal.attributes as StoredVisit
  const last = refusal.was as StoredVisit
  const { row: city } = useRow(device.models.City, row?.cityId ?? wanted.city_id ?? last.city_id ?? undefined)
  const { rating, photo } = wanted
  const text = wanted.note ?? row?.note ?? ''
  const hasTooMany = (rating ?? 0) > MAX_STARS
  const isRemoved = refusal.status === 'gone' && refusal.operation === 'update'
  const to = city ? ` to ${city.name}` : ''

  // What an edit did not touch is as the backend has it.
  function edit(): void {
    const draft = {
      note: text,
      rating: 'rating' in wanted ? (rating ?? undefined) : row?.rating,
      photo: 'photo' in wanted ? refOf(photo) : row?.photo,
    }
    onEdit({ city, refused: { refusal, draft } })
  }
  async function addAsNew(): Promise<void> {
    const visit: StoredVisit = { ...last, ...wanted }
    if (!visit.city_id) return
    await device.models.Visit.create({
      cityId: visit.city_id,
      note: visit.note ?? '',
      rating: visit.rating ?? undefined,
      photo: refOf(visit.photo),
      visitedAt: new Date(visit.visited_at ?? Date.now()),
    })
    await refusal.dismiss()
  }
  return (
    <article className="refusal">
      <header>
        <h2>{isRemoved ? `Your visit${to} was removed` : `The backend refused your visit${to}`}</h2>
        <p>{isRemoved ? 'Another device removed it before your change arrived.' : refusal.error.message}</p>
      </header>
      <dl>
        <div>
          <dt>You wanted</dt>
          <dd>
            {refusal.operation === 'delete' ? (
              'To remove the visit'
            ) : (
              <>
                <Stars rating={rating ?? undefined} /> <span className="note">{wanted.note}</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>The backend has</dt>
          <dd>
            {row ? (
              <>
                <Stars rating={row.rating} /> <span className="note">{row.note || <i>No note</i>}</span>
              </>
            ) : (
              <span className="quiet">{ABSENT_MESSAGES[refusal.operation]}</span>
            )}
          </dd>
        </div>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => onDismiss(refusal)}>
          Dismiss
        </button>
        {isRemoved ? (
          <button type="button" className="primary" onClick={() => void addAsNew()}>
            Add it as new
          </button>
        ) : (
          <button type="button" onClick={() => void refusal.retry()}>
            Try again
          </button>
        )}
        {refusal.operation !== 'delete' && !isRemoved && (
          <button type="button" onClick={edit}>
            Edit
          </button>
        )}
        {hasTooMany && !isRemoved && (
          <button type="button" className="primary" onClick={() => void refusal.edit({ rating: MAX_STARS })}>
            Send with {MAX_STARS} stars
          </button>
        )}
      </div>
    </article>
  )
}
