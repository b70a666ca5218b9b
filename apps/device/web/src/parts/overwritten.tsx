import { useOverwritten, useRow } from '@godwit/react'
import { type FormEvent, useState } from 'react'
import { device } from '../device.js'
import type { OverwrittenVisit, StoredVisit } from '../rows.js'
import { Stars } from './stars.js'

/** Where the top bar leads. */
export const OVERWRITTEN_ID = 'overwritten'

/** Changes that replaced what another device had written: both texts, and which one to keep. */
export function Overwritten() {
  const { rows } = useOverwritten(device.models.Visit)
  if (rows.length === 0) return null
  return (
    <section id={OVERWRITTEN_ID} className="refusals" aria-label="Changed on two devices" tabIndex={-1}>
      {rows.map(overwritten => (
        <OverwrittenCard key={overwritten.id} overwritten={overwritten} />
      ))}
    </section>
  )
}

function OverwrittenCard({ overwritten }: { readonly overwritten: OverwrittenVisit }) {
  const { row } = useRow(device.models.Visit, overwritten.object)
  const { row: city } = useRow(device.models.City, row?.cityId)
  const [mine, theirs] = [overwritten.attributes, overwritten.overwrote] as readonly StoredVisit[]
  const [merged, setMerged] = useState<string>()
  const canMerge = 'note' in (theirs ?? {})

  async function saveMerged(event: FormEvent): Promise<void> {
    event.preventDefault()
    await device.models.Visit.update(overwritten.object, { note: merged ?? '' })
    await overwritten.dismiss()
  }
  return (
    <article className="refusal overwritten">
      <header>
        <h2>Two devices changed your visit{city ? ` to ${city.name}` : ''}</h2>
        <p>Your change was later and replaced the other one. Which one do you want to keep?</p>
      </header>
      <dl>
        <Side title="You wrote" values={mine} names={Object.keys(theirs ?? {})} />
        <Side title="The other device wrote" values={theirs} names={Object.keys(theirs ?? {})} />
      </dl>
      {merged === undefined ? (
        <div className="actions">
          <button type="button" onClick={() => void overwritten.dismiss()}>
            Keep mine
          </button>
          <button type="button" onClick={() => void overwritten.restore()}>
            Keep theirs
          </button>
          {canMerge && (
            <button
              type="button"
              className="primary"
              onClick={() => setMerged([mine?.note, theirs?.note].filter(Boolean).join('\n'))}
            >
              Merge
            </button>
          )}
        </div>
      ) : (
        <form className="merge" onSubmit={saveMerged}>
          <label>
            Merged note
            <textarea rows={4} value={merged} onChange={event => setMerged(event.target.value)} />
          </label>
          <div className="actions">
            <button type="button" onClick={() => setMerged(undefined)}>
              Cancel
            </button>
            <button type="submit" className="primary">
              Save merged note
            </button>
          </div>
        </form>
      )}
    </article>
  )
}

interface SideProps {
  readonly title: string
  readonly values: StoredVisit | undefined
  /** The attributes that both devices changed. */
  readonly names: readonly string[]
}

const Side = ({ title, values, names }: SideProps) => (
  <div>
    <dt>{title}</dt>
    <dd>
      {names.includes('rating') && <Stars rating={values?.rating ?? undefined} />}
      {names.includes('note') && <span className="note">{values?.note || <i>No note</i>}</span>}
      {names.includes('photo') && <span className="quiet">{values?.photo ? 'Another photo' : 'No photo'}</span>}
    </dd>
  </div>
)
