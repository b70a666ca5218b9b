import type { Refusal, RefusalList } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { Choice, Search } from '../../parts/field.js'
import { Failed, Nothing, Old } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { linkTo, useFilters } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { RefusalDrawer } from './refusal-drawer.js'

const PAGE = 200
const WHYS = [
  ['', 'any'],
  ['refused', 'refused'],
  ['conflict', 'conflict'],
  ['gone', 'gone'],
  ['depends_on_refused', 'depends on refused'],
] as const

/** Writes of devices that were not applied: their devices rolled them back, or will. */
export function Refused(): ReactNode {
  const [{ user = '', source = '', status = '', open }, setFilters] = useFilters()
  const filters = Object.fromEntries(Object.entries({ user, source, status }).filter(([, value]) => value !== ''))
  const list = usePages<Refusal>(JSON.stringify(filters), async (after, signal) => {
    const query = { ...filters, ...(after && { after }), limit: PAGE, signal } as RefusalList
    const { refusals, next } = await admin.operations.refusals(query)
    return { rows: refusals, next }
  })
  const { rows, busy, error, more, reload } = list
  return (
    <>
      <div className="bar">
        <Search label="User" value={user} placeholder="login" onSearch={value => setFilters({ user: value })} />
        <Search label="Source" value={source} placeholder="any" onSearch={value => setFilters({ source: value })} />
        <Choice
          label="Why"
          value={status}
          options={WHYS}
          onChange={event => setFilters({ status: event.target.value })}
        />
      </div>
      {error !== undefined && rows.length > 0 && <Old error={error} retry={reload} />}
      {error !== undefined && rows.length === 0 ? (
        <Failed error={error} retry={reload} />
      ) : !busy && rows.length === 0 && more === undefined ? (
        <Nothing
          icon="check"
          title="Nothing here"
          says="No refused mutation fits. They are kept for 30 days, the last 200 of each user."
        />
      ) : (
        <Table
          label="Refused mutations"
          columns={columnsOf(id => linkTo('mutations', { state: 'refused', ...filters, open: id }))}
          rows={rows}
          keyOf={({ id }) => id}
          more={more}
          busy={busy}
        />
      )}
      {open !== undefined && <RefusalDrawer key={open} id={open} close={() => setFilters({ open: undefined })} />}
    </>
  )
}

const columnsOf = (link: (id: string) => string): readonly Column<Refusal>[] => [
  {
    title: 'Object',
    width: 'minmax(0, 1.4fr)',
    cell: ({ id, source, object }) => (
      <a href={link(id)}>
        {source} {object}
      </a>
    ),
  },
  { title: 'Wanted', width: '90px', cell: ({ operation }) => <Badge>{operation}</Badge> },
  { title: 'User', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ user }) => user },
  { title: 'When', width: '110px', cell: ({ refused_at }) => <Ago time={refused_at} /> },
  {
    title: 'What was said',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ status, error }) => (
      <span title={error.message}>{error.message === '' ? status.replaceAll('_', ' ') : error.message}</span>
    ),
  },
]
