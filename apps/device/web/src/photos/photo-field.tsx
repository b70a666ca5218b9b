import type { BlobRef } from '@godwit/model'
import { useBlobUrl } from '@godwit/react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { shrinkPhoto } from './shrink-photo.js'

/** The photo to show: one of the device, one just chosen, or none. */
export type PhotoChoice = BlobRef | Blob | undefined

interface PhotoFieldProps {
  readonly photo: PhotoChoice
  readonly onChange: (photo: PhotoChoice) => void
  readonly onFailure: (message: string | undefined) => void
}

/** Takes a photo by camera or from files, and shrinks it first. */
export function PhotoField({ photo, onChange, onFailure }: PhotoFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const url = usePhotoUrl(photo)

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    target.value = ''
    if (file === undefined) return
    setBusy(true)
    onFailure(undefined)
    try {
      onChange(await shrinkPhoto(file))
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <fieldset className="photo-field" aria-busy={isBusy}>
      <legend>Photo</legend>
      <input ref={input} type="file" accept="image/*" aria-label="Photo" hidden onChange={choose} />
      {photo === undefined ? (
        <button type="button" className="drop" onClick={() => input.current?.click()}>
          {isBusy ? 'Resizing…' : 'Take or choose a photo'}
        </button>
      ) : (
        <>
          <span className="photo">{url === undefined ? null : <img src={url} alt="Attached to this visit" />}</span>
          <span className="beside">
            <button type="button" onClick={() => input.current?.click()}>
              Replace
            </button>
            <button type="button" onClick={() => onChange(undefined)}>
              Remove
            </button>
          </span>
        </>
      )}
    </fieldset>
  )
}

function usePhotoUrl(photo: PhotoChoice): string | undefined {
  const kept = useBlobUrl(photo instanceof Blob ? undefined : photo)
  const [chosen, setChosen] = useState<string>()
  useEffect(() => {
    if (!(photo instanceof Blob)) return setChosen(undefined)
    const url = URL.createObjectURL(photo)
    setChosen(url)
    return () => URL.revokeObjectURL(url)
  }, [photo])
  return photo instanceof Blob ? chosen : kept
}
