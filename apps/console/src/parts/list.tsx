import type { ReactNode } from 'react'
import type { Pages } from '../use-pages.js'
import { ErrorState, StaleNotice } from './states.js'
import { Table, type TableProps } from './table.js'

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows' | 'more' | 'busy'> {
  readonly list: Pages<Row>
  /** The rows to show. Default: all. */
  readonly rows?: readonly Row[]
  /** Shown if there are no rows. */
  readonly empty: ReactNode
}

/** A list that is loaded page by page, with its empty, failed and outdated states. */
export function List<Row>({ list, rows = list.rows, empty, ...table }: ListProps<Row>): ReactNode {
  const { busy, error, more, reload } = list
  if (error !== undefined && list.rows.length === 0) return <ErrorState error={error} busy={busy} retry={reload} />
  if (error === undefined && !busy && rows.length === 0 && more === undefined) return empty
  return (
    <>
      {error !== undefined && <StaleNotice error={error} busy={busy} retry={reload} />}
      <Table {...table} rows={rows} more={more} busy={busy} />
    </>
  )
}
