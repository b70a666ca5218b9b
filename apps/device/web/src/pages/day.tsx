// The demo shows the panel in production too; other apps import '@godwit/devtools', which only development builds contain.
import { Devtools } from '@godwit/devtools/always'
import { useRef, useState } from 'react'
import { device } from '../device.js'
import { WorldMap } from '../map/world-map.js'
import { About } from '../parts/about.js'
import { CitySearch } from '../parts/city-search.js'
import { Overwritten } from '../parts/overwritten.js'
import { Refusals } from '../parts/refusals.js'
import { StorageNotice } from '../parts/storage-notice.js'
import { ThingsToTry } from '../parts/things-to-try.js'
import { TopBar } from '../parts/top-bar.js'
import { useUndoable } from '../parts/use-undoable.js'
import { VisitEditor, type VisitSubject } from '../parts/visit-editor.js'
import { VisitList } from '../parts/visit-list.js'
import type { VisitRow } from '../rows.js'

/** The only page: the map of cities, the visits, and what waits for the network. */
export function VisitsPage() {
  const [place, setPlace] = useState<VisitSubject>()
  const [showsHappenings, setShowsHappenings] = useState(false)
  const removal = useUndoable<VisitRow>(({ id }) => device.models.Visit.destroy(id))
  const search = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  // A refusal that was sent again is gone, and with it the button that had the focus.
  function close(): void {
    if (place?.refused) panel.current?.focus({ preventScroll: true })
    setPlace(undefined)
  }
  return (
    <div className="day">
      <TopBar showsHappenings={showsHappenings} onHappenings={() => setShowsHappenings(isOpen => !isOpen)} />
      <StorageNotice />
      <main>
        <WorldMap chosen={place?.city} hidden={removal.hidden} onOpen={setPlace} />
        <section ref={panel} className="panel" aria-label="Visits" tabIndex={-1}>
          <CitySearch inputRef={search} onChoose={city => setPlace({ city })} />
          <Refusals onEdit={setPlace} />
          <Overwritten />
          <ThingsToTry />
          <VisitList removal={removal} onEdit={setPlace} onEmpty={() => search.current?.focus()} />
          <About />
        </section>
        <div className="trace" hidden={!showsHappenings}>
          <Devtools device={device} placement="inline" onClose={() => setShowsHappenings(false)} />
        </div>
      </main>
      {place && (
        <VisitEditor
          key={place.refused?.refusal.id ?? place.visit?.id ?? place.city?.id}
          place={place}
          onClose={close}
        />
      )}
    </div>
  )
}
