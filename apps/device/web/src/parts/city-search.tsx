import { useQuery } from '@godwit/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { device } from '../device.js'
import type { CityRow } from '../rows.js'

interface CitySearchProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onChoose: (city: CityRow) => void
}

/** Finds cities on every key, in the database of this device. */
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

interface CityResultsProps {
  readonly wanted: string
  readonly at: number
  readonly onMove: (at: number) => void
  readonly input: RefObject<HTMLInputElement | null>
  readonly onChoose: (city: CityRow | undefined) => void
}

function CityResults({ wanted, at, onMove, input, onChoose }: CityResultsProps) {
  const { rows, status } = useQuery(device.models.City, { search: wanted, order: { population: 'desc' }, limit: 500 })
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
      if (event.key === 'Enter') onChoose(rows[at])
      if (step === 0) return
      event.preventDefault()
      const next = Math.max(0, Math.min(rows.length - 1, at + step))
      onMove(next)
      virtual.scrollToIndex(next)
    }
    field?.addEventListener('keydown', move)
    return () => field?.removeEventListener('keydown', move)
  })

  if (status === 'ready' && rows.length === 0)
    return <p className="quiet found-none">No city on this device begins with “{wanted}”.</p>
  return (
    <div className="found" ref={list}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const city = rows[index]
          if (city === undefined) return null
          return (
            <li key={city.id} style={{ transform: `translateY(${start}px)` }}>
              <button type="button" data-at={index === at} onClick={() => onChoose(city)}>
                <span className="name">{city.name}</span>
                <small>
                  {city.country} · {city.population.toLocaleString('en')}
                </small>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
