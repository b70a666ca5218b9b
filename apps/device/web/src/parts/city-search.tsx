import { useQuery, useSyncStatus } from '@godwit/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { countryOf } from '../country.js'
import { device } from '../device.js'
import type { CityRow } from '../rows.js'

const LIST_ID = 'cities'
const optionId = (at: number) => `${LIST_ID}-${at}`

interface CitySearchProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onChoose: (city: CityRow) => void
}

/** Searches cities at every keystroke, in the database of this device. */
export function CitySearch({ inputRef, onChoose }: CitySearchProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = text.trim()

  function choose(city: CityRow | undefined): void {
    if (city === undefined) return
    setText('')
    onChoose(city)
  }

  return (
    <search className="search">
      <label className="visually-hidden" htmlFor="city">
        City
      </label>
      <input
        id="city"
        ref={inputRef}
        type="search"
        role="combobox"
        aria-expanded={wanted !== ''}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        placeholder="Where have you been? Try “par”"
        autoComplete="off"
        value={text}
        onChange={event => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') setText('')
        }}
      />
      {wanted !== '' && <CityResults wanted={wanted} at={at} onMove={setAt} input={inputRef} onChoose={choose} />}
    </search>
  )
}

/** Why no city is shown. While they arrive, the next one may be it. */
function noneOf(status: 'loading' | 'ready' | 'failed', wanted: string, areArriving: boolean): string {
  if (status === 'loading') return 'Searching…'
  if (status === 'failed') return 'The cities on this device cannot be read. Reload the page.'
  return areArriving
    ? `No match for “${wanted}” yet: cities are still arriving.`
    : `No city on this device has a word that starts with “${wanted}”.`
}

interface CityResultsProps {
  readonly wanted: string
  readonly at: number
  readonly onMove: (at: number) => void
  readonly input: RefObject<HTMLInputElement | null>
  readonly onChoose: (city: CityRow | undefined) => void
}

function CityResults({ wanted, at, onMove, input, onChoose }: CityResultsProps) {
  const { rows, status } = useQuery(device.models.City, { search: wanted, order: { population: 'desc' }, limit: 500 })
  const { progress } = useSyncStatus()
  const list = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => 44,
    overscan: 6,
  })

  useEffect(() => {
    const field = input.current
    function move(event: globalThis.KeyboardEvent): void {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
      if (event.key === 'Enter' && !event.isComposing) {
        // Otherwise the key would activate the element that the dialog focuses.
        event.preventDefault()
        onChoose(rows[at])
      }
      if (step === 0) return
      event.preventDefault()
      const next = Math.max(0, Math.min(rows.length - 1, at + step))
      onMove(next)
      virtual.scrollToIndex(next)
    }
    field?.addEventListener('keydown', move)
    return () => field?.removeEventListener('keydown', move)
  })

  // The field names the chosen option while there is one.
  const chosen = rows[at]
  useEffect(() => {
    const field = input.current
    if (chosen) field?.setAttribute('aria-activedescendant', optionId(at))
    return () => field?.removeAttribute('aria-activedescendant')
  }, [input, chosen, at])

  if (rows.length === 0)
    return (
      <p id={LIST_ID} className="quiet found-none" role="status">
        {noneOf(status, wanted, progress !== null)}
      </p>
    )
  return (
    <div id={LIST_ID} className="found" ref={list} role="listbox" aria-label="Cities" tabIndex={-1}>
      <div className="rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const city = rows[index]
          if (city === undefined) return null
          return (
            <button
              key={city.id}
              type="button"
              tabIndex={-1}
              id={optionId(index)}
              className="city"
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${start}px)` }}
              // Keeps the focus in the field.
              onMouseDown={event => event.preventDefault()}
              onClick={() => onChoose(city)}
            >
              <span className="name">{city.name}</span>
              <small>
                {countryOf(city.country)} · {city.population.toLocaleString('en')}
              </small>
            </button>
          )
        })}
      </div>
    </div>
  )
}
