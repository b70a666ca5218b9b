import { type FormEvent, useEffect, useRef, useState } from 'react'
import { countryOf } from '../country.js'
import { device } from '../device.js'
import { type PhotoChoice, PhotoField } from '../photos/photo-field.js'
import type { CityRow, RefusedVisit, VisitRow } from '../rows.js'
import { FULL_TEXT } from './storage-notice.js'

/** What the editor begins with. */
type VisitDraft = Pick<VisitRow, 'note' | 'rating' | 'photo'>

/** A city to write about, with the visit if there is one. */
export interface VisitSubject {
  readonly city: CityRow | undefined
  readonly visit?: VisitRow
  /** A refused change to send again, with what it held. */
  readonly refused?: { readonly refusal: RefusedVisit; readonly draft: VisitDraft }
}

const RATINGS = [1, 2, 3, 4, 5, 6]

/** The bytes of a file, which an edit of a refused change takes instead of the file. */
const withBytes = async <T,>(photo: T | Blob): Promise<T | Uint8Array> =>
  photo instanceof Blob ? new Uint8Array(await photo.arrayBuffer()) : photo

function failureText(error: unknown): string {
  if ((error as { readonly code?: string }).code === 'storage_full') return FULL_TEXT
  return error instanceof Error ? error.message : String(error)
}

/** Adds a visit, or changes one. The sixth star is there to be refused by the backend. */
export function VisitEditor({
  place: { city, visit, refused },
  onClose,
}: {
  readonly place: VisitSubject
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const textArea = useRef<HTMLTextAreaElement>(null)
  const before = refused?.draft ?? visit
  const [text, setText] = useState(before?.note ?? '')
  const [rating, setRating] = useState(before?.rating)
  const [photo, setPhoto] = useState<PhotoChoice>(before?.photo)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const [isLeaving, setLeaving] = useState(false)
  const isChanged = text !== (before?.note ?? '') || rating !== before?.rating || photo !== before?.photo
  function keepTyped(event: Pick<Event, 'preventDefault'>): void {
    if (!isChanged) return
    event.preventDefault()
    setLeaving(true)
  }
  function keepEditing(): void {
    setLeaving(false)
    textArea.current?.focus()
  }
  // The dialog gives the focus back where it came from.
  const close = () => dialog.current?.close()

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    try {
      const { Visit } = device.models
      const changed = { note: text, rating: rating ?? null, photo: photo ?? null }
      if (refused) await refused.refusal.edit({ ...changed, photo: await withBytes(changed.photo) })
      else if (visit) await Visit.update(visit.id, changed)
      else if (city) await Visit.create({ cityId: city.id, note: text, rating, photo, visitedAt: new Date() })
      close()
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }

  return (
    <dialog
      ref={dialog}
      className="editor"
      aria-labelledby="editor-title"
      onClose={onClose}
      onCancel={keepTyped}
      onKeyDown={event => event.key === 'Escape' && keepTyped(event)}
    >
      <form onSubmit={save}>
        <header>
          <h2 id="editor-title">{city?.name ?? 'Visit'}</h2>
          {city && (
            <p className="quiet">
              {countryOf(city.country)} · {city.population.toLocaleString('en')} people
            </p>
          )}
        </header>
        <fieldset className="rating">
          <legend>Rating</legend>
          {RATINGS.map(star => (
            <span key={star} className="star" data-on={rating !== undefined && star <= rating} data-odd={star > 5}>
              ★
              <input
                type="radio"
                name="rating"
                aria-label={`${star} ${star === 1 ? 'star' : 'stars'}${star > 5 ? ', which the backend refuses' : ''}`}
                checked={star === rating}
                onChange={() => setRating(star)}
                // A second click takes the rating back, and so does a second press of Space, which clicks nothing.
                onClick={() => star === rating && setRating(undefined)}
                onKeyDown={event => {
                  if (event.key !== ' ' || star !== rating) return
                  event.preventDefault()
                  setRating(undefined)
                }}
              />
            </span>
          ))}
          <p className="quiet">
            {rating === 6
              ? 'The backend accepts at most five. Save to see its response.'
              : 'The backend accepts at most five.'}
          </p>
        </fieldset>
        <label>
          Note
          <textarea ref={textArea} rows={3} value={text} onChange={event => setText(event.target.value)} />
        </label>
        <PhotoField photo={photo} onChange={setPhoto} onFailure={setFailure} />
        {failure !== undefined && (
          <p className="failure" role="alert">
            {failure}
          </p>
        )}
        {isLeaving && (
          <div className="leaving" role="alert">
            <p>Discard what you entered?</p>
            <button type="button" onClick={keepEditing}>
              Keep editing
            </button>
            <button type="button" onClick={close}>
              Discard
            </button>
          </div>
        )}
        <div className="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isBusy}>
            {refused ? 'Send again' : visit ? 'Save' : 'Add visit'}
          </button>
        </div>
      </form>
    </dialog>
  )
}
