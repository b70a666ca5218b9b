import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { number } from './format.js'

export interface Column<Row> {
  readonly title: string
  /** A grid track size, like `120px` or `minmax(0, 2fr)`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  readonly end?: boolean
  /** True if the column is hidden on phones. */
  readonly wideOnly?: boolean
}

export interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Loads more rows; undefined if there are none. */
  readonly more?: (() => void) | undefined
  readonly busy?: boolean
  readonly foot?: ReactNode
}

const HEIGHT = 46
/** The number of rows before the end at which the next page is loaded. */
const PREFETCH_ROWS = 10

/** A virtualised table: only visible rows are rendered. */
export function Table<Row>({ label, columns, rows, keyOf, more, busy = false, foot }: TableProps<Row>): ReactNode {
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => HEIGHT,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!busy && more && last >= rows.length - PREFETCH_ROWS) more()
  }, [busy, more, last, rows.length])
  const classOf = ({ end, wideOnly }: Column<Row>): string =>
    `cut${end ? ' end number' : ''}${wideOnly ? ' wide-only' : ''}`
  return (
    <div className="card table" style={tracksOf(columns)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className="table-scroll" ref={scroll} tabIndex={0} aria-label={`${label}, scrolls`}>
        {/* biome-ignore-start lint/a11y: rows that are placed by hand are no table to a browser */}
        <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
          <div className="table-head" role="rowgroup">
            <div className="row" role="row" aria-rowindex={1}>
              {columns.map(column => (
                <span key={column.title} role="columnheader" className={classOf(column)}>
                  {column.title}
                </span>
              ))}
            </div>
          </div>
          <div className="table-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start, size }) => {
              const row = rows[index] as Row
              const place = { height: size, transform: `translateY(${start}px)` }
              return (
                <div
                  key={keyOf(row)}
                  className="row"
                  role="row"
                  aria-rowindex={index + 2}
                  style={place}
                  onClick={openRow}
                >
                  {columns.map(column => {
                    const content = column.cell(row)
                    // Truncated text has a tooltip.
                    const title = typeof content === 'string' ? { title: content } : {}
                    return (
                      <span key={column.title} role="cell" className={classOf(column)} {...title}>
                        {content}
                      </span>
                    )
                  })}
                </div>
              )
            })}
          </div>
        </div>
        {/* biome-ignore-end lint/a11y: rows that are placed by hand are no table to a browser */}
      </section>
      <div className="table-foot">
        <span role="status">
          {busy ? 'Loading…' : `${number(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}${more ? ' so far' : ''}`}
        </span>
        {foot}
      </div>
    </div>
  )
}

/** Opens the row's link for a click anywhere in the row, unless the click meant a control or selected text. Keyboards use the link itself. */
function openRow({ currentTarget, target, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if ((target as Element).closest('a, button, input') || getSelection()?.isCollapsed === false) return
  const click = new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
  const link = currentTarget.querySelector('a')
  link?.focus()
  link?.dispatchEvent(click)
}

const tracksOf = (columns: readonly Pick<Column<never>, 'width' | 'wideOnly'>[]): CSSProperties => {
  const join = (some: typeof columns) => some.map(({ width }) => width).join(' ')
  const phone = columns.filter(({ wideOnly }) => !wideOnly)
  return {
    '--tracks': join(columns),
    '--phone-tracks': join(phone),
    '--least': `${columns.length * 96}px`,
  } as CSSProperties
}
