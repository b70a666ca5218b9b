import { useQuery } from '@godwit/react'
import { device } from '../device.js'
import type { VisitSubject } from '../parts/visit-editor.js'
import type { CityRow } from '../rows.js'
import { toX, toY } from './projection.js'

interface PinsProps {
  readonly chosen: CityRow | undefined
  /** The ids of visits that were removed and can still be brought back. */
  readonly hidden: ReadonlySet<unknown>
  readonly onOpen: (place: VisitSubject) => void
}

/** Returns the position of a city in the world, for a style. */
export const placeOf = ({ longitude, latitude }: CityRow) => ({
  left: `${toX(longitude) * 100}%`,
  top: `${toY(latitude) * 100}%`,
})

/** Pins of the visited cities, which open the latest visit, and of the selected one. The list has the same visits for keys. */
export function Pins({ chosen, hidden, onOpen }: PinsProps) {
  const { rows } = useQuery(device.models.Visit, { with: { city: true }, order: { visitedAt: 'asc' } })
  const visits = new Map(
    rows.flatMap(visit => (visit.city && !hidden.has(visit.id) ? [[visit.city.id, visit] as const] : [])),
  )
  return (
    <>
      {[...visits.values()].map(
        visit =>
          visit.city && (
            <button
              key={visit.city.id}
              type="button"
              tabIndex={-1}
              className="pin"
              aria-label={`Open the visit to ${visit.city.name}`}
              title={visit.city.name}
              data-chosen={visit.city.id === chosen?.id}
              style={placeOf(visit.city)}
              onClick={event => {
                event.stopPropagation()
                onOpen({ city: visit.city, visit })
              }}
            />
          ),
      )}
      {chosen && !visits.has(chosen.id) && <span className="pin" data-chosen="true" style={placeOf(chosen)} />}
    </>
  )
}
