import type { ChangeOf, RemoteRefusal } from '@godwit/model'
import { useRefusals, useRow } from '@godwit/react'
import { device } from '../device.js'
import type { Visit } from '../models.js'
import { Stars } from './stars.js'

type RefusedVisit = RemoteRefusal<'Visit', ChangeOf<typeof Visit>>

/** Changes that the backend refused: what was wanted beside what is, and what can be done about it. */
export function Refusals() {
  const { rows } = useRefusals(device.models.Visit)
  if (rows.length === 0) return null
  return (
    <section className="refusals" aria-label="Refused changes">
      {rows.map(refusal => (
        <Refusal key={refusal.id} refusal={refusal} />
      ))}
    </section>
  )
}

/** What the backend has where it has no such visit. */
const ABSENT_MESSAGES: { readonly [operation in RefusedVisit['operation']]: string } = {
  create: 'Nothing yet. Your visit is kept here until you decide.',
  update: 'Nothing any more: the visit was removed.',
  delete: 'Nothing any more: the visit was removed.',
}

function Refusal({ refusal }: { readonly refusal: RefusedVisit }) {
  const { row } = useRow(device.models.Visit, refusal.object)
  // As the backend knows them: a refusal has what is stored.
  const wanted = refusal.attributes as { readonly city_id?: string; readonly note?: string; readonly rating?: number }
  const { row: city } = useRow(device.models.City, row?.cityId ?? wanted.city_id)
  return (
    <article className="refusal">
      <header>
        <h3>The backend refused your visit{city ? ` to ${city.name}` : ''}</h3>
        <p>{refusal.error.message}</p>
      </header>
      <dl>
        <div>
          <dt>You wanted</dt>
          <dd>
            {refusal.operation === 'delete' ? (
              'To remove the visit'
            ) : (
              <>
                <Stars rating={wanted.rating} /> {wanted.note}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>The backend has</dt>
          <dd>
            {row ? (
              <>
                <Stars rating={row.rating} /> {row.note || <span className="quiet">No note</span>}
              </>
            ) : (
              <span className="quiet">{ABSENT_MESSAGES[refusal.operation]}</span>
            )}
          </dd>
        </div>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => void refusal.dismiss()}>
          Dismiss
        </button>
        <button type="button" onClick={() => void refusal.retry()}>
          Try again
        </button>
        {refusal.operation !== 'delete' && (
          <button type="button" className="primary" onClick={() => void refusal.edit({ rating: 5 })}>
            Send with 5 stars
          </button>
        )}
      </div>
    </article>
  )
}
