// In the demo it is the point: other apps take '@godwit/devtools', and have it while they are developed.
import { Devtools } from '@godwit/devtools/always'
import { useRef, useState } from 'react'
import { device } from '../device.js'
import { WorldMap } from '../map/world-map.js'
import { CitySearch } from '../parts/city-search.js'
import { Refusals } from '../parts/refusals.js'
import { TopBar } from '../parts/top-bar.js'
import { VisitEditor, type VisitSubject } from '../parts/visit-editor.js'
import { VisitList } from '../parts/visit-list.js'

/** Everything on one page: where the cities are, which of them were visited, and what waits for the network. */
export function VisitsPage() {
  const [place, setPlace] = useState<VisitSubject>()
  const [showsHappenings, setShowsHappenings] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  return (
    <div className="day">
      <TopBar showsHappenings={showsHappenings} onHappenings={() => setShowsHappenings(shown => !shown)} />
      <main>
        <WorldMap chosen={place?.city} />
        <section className="panel" aria-label="Visits">
          <CitySearch inputRef={search} onChoose={city => setPlace({ city })} />
          <Refusals />
          <VisitList onEdit={setPlace} onEmpty={() => search.current?.focus()} />
        </section>
        <div className="trace" hidden={!showsHappenings}>
          <Devtools device={device} placement="inline" onClose={() => setShowsHappenings(false)} />
        </div>
      </main>
      {place && (
        <VisitEditor key={place.visit?.id ?? place.city?.id} place={place} onClose={() => setPlace(undefined)} />
      )}
    </div>
  )
}
