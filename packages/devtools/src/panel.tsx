import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { bytes, whole } from './event-text.js'
import { EMPTY, follow, type Report, type TracedDevice } from './report.js'
import { STYLE } from './style.js'
import { Events, Outbox, Queries } from './tables.js'

export type { TracedDevice } from './report.js'

/** The props of `Devtools`. */
export interface DevtoolsProps {
  readonly device: TracedDevice
  /** `floating`: a button at the lower left of the window, and a drawer. `inline`: fills the element around it. Default: `floating`. */
  readonly placement?: 'floating' | 'inline'
  /** Called when the panel is closed; with `inline`, the close button exists only if this is set. */
  readonly onClose?: () => void
}

/** The activity of a device: requests, sizes, rows, transactions, live queries with durations, and the outbox. */
export function Panel({ device, placement = 'floating', onClose }: DevtoolsProps) {
  const [isOpen, setOpen] = useState(placement === 'inline')
  const [report, setReport] = useState(EMPTY)
  // Records from the first render, so that opening the panel shows earlier events.
  useEffect(() => {
    setReport(EMPTY)
    return follow(device, setReport)
  }, [device])
  function close(): void {
    if (placement === 'floating') setOpen(false)
    onClose?.()
  }
  return (
    <Shadow>
      {isOpen ? (
        <Drawer
          report={report}
          isFloating={placement === 'floating'}
          {...((onClose || placement === 'floating') && { onClose: close })}
        />
      ) : (
        <button type="button" className="handle" aria-expanded="false" onClick={() => setOpen(true)}>
          Godwit
        </button>
      )}
    </Shadow>
  )
}

const TABS: { readonly [name: string]: ComponentType<Report> } = { Events, 'Live queries': Queries, Outbox }

const countOf: { readonly [name: string]: (report: Report) => number } = {
  'Live queries': ({ queries }) => queries.length,
  Outbox: ({ changes }) => changes.length,
}

interface DrawerProps {
  readonly report: Report
  readonly isFloating: boolean
  readonly onClose?: () => void
}

function Drawer({ report, isFloating, onClose }: DrawerProps) {
  const [tab, setTab] = useState('Events')
  const Tab = TABS[tab] ?? Events
  return (
    <section className="drawer" data-floating={isFloating || undefined} aria-label="What just happened">
      <header>
        <h2>What just happened</h2>
        <Figures {...report} />
        <div className="tabs" role="tablist" aria-label="Device activity">
          {Object.keys(TABS).map(name => {
            const count = countOf[name]?.(report)
            return (
              <button key={name} type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
                {name}
                {count === undefined ? '' : ` ${whole(count)}`}
              </button>
            )
          })}
        </div>
        {onClose && (
          <button type="button" className="close" aria-label="Close" onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access */}
      <div className="scroll" role="tabpanel" aria-label={tab} tabIndex={0}>
        <Tab {...report} />
      </div>
    </section>
  )
}

function Figures({ requests, sent, received, transactions, rows }: Report) {
  const figures = [
    ['requests', whole(requests)],
    ['up', bytes(sent)],
    ['down', bytes(received)],
    ['transactions', whole(transactions)],
    ['rows written', whole(rows)],
  ] as const
  return (
    <dl>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A shadow tree with a separate style sheet. A content security policy does not restrict constructed sheets. */
function Shadow({ children }: { readonly children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot>()
  useLayoutEffect(() => {
    if (host.current === null) return
    const made = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    if (made.adoptedStyleSheets?.length === 0) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      made.adoptedStyleSheets = [sheet]
    }
    setRoot(made)
  }, [])
  return (
    <div ref={host} style={{ height: '100%' }}>
      {root && createPortal(children, root)}
    </div>
  )
}
