import type { Refusal, RefusalList } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Drawer } from '../../parts/drawer.js'
import { Choice, Search } from '../../parts/field.js'
import { List } from '../../parts/list.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { useQuery } from '../../use-query.js'
import { MutationPanel, titleOf, writeColumns } from './mutation-panel.js'

const PAGE = 200
/** Milliseconds until a reload, because devices, workers and other operators change the data. */
const MAX_AGE = 10_000
const REASONS = [
  ['', 'any'],
  ['refused', 'refused'],
  ['conflict', 'conflict'],
  ['gone', 'gone'],
  ['depends_on_refused', 'depends on refused'],
] as const

/** Mutations that were not applied; devices roll them back. */
export function RefusedMutations(): ReactNode {
  const [{ user = '', source = '', status = '' }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const filters = Object.fromEntries(Object.entries({ user, source, status }).filter(([, value]) => value !== ''))
  const list = usePages<Refusal>(
    `refused ${JSON.stringify(filters)}`,
    async (after, signal) => {
      const query = { ...filters, ...(after && { after }), limit: PAGE, signal } as RefusalList
      const { refusals, next } = await admin.operations.refusals(query)
      return { rows: refusals, next }
    },
    { every: MAX_AGE },
  )
  return (
    <>
      <div className="bar">
        <Search label="User" value={user} placeholder="login" onSearch={value => setFilters({ user: value })} />
        <Search label="Source" value={source} placeholder="any" onSearch={value => setFilters({ source: value })} />
        <Choice
          label="Reason"
          value={status}
          options={REASONS}
          onChange={event => setFilters({ status: event.target.value })}
        />
      </div>
      <List
        label="Refused mutations"
        columns={columnsOf(id => linkTo('mutations', { state: 'refused', ...filters, open: id }))}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon="check"
            title="No mutations"
            says="No refused mutations match. They are kept for 30 days, the latest 200 of each user."
          />
        }
      />
      {open !== undefined && <RefusalDrawer key={open} id={open} close={close} />}
    </>
  )
}

const columnsOf = (link: (id: string) => string): readonly Column<Refusal>[] => [
  ...writeColumns(link),
  { title: 'Time', width: '132px', cell: ({ refused_at }) => <Ago time={refused_at} /> },
  {
    title: 'Reason',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ status, error }) => (
      <span title={error.message}>{error.message === '' ? status.replaceAll('_', ' ') : error.message}</span>
    ),
  },
]

/** Details of a mutation that was not applied: its content and the error. */
function RefusalDrawer({ id, close }: { readonly id: string; readonly close: () => void }): ReactNode {
  const refusal = useQuery(`refusal ${id}`, options => admin.operations.refusal(id, options))
  return (
    <Drawer title={titleOf(refusal.data)} close={close}>
      <QueryContent query={refusal} what="the mutation">
        {one => (
          <MutationPanel
            mutation={one}
            error={one.error}
            state={{ tone: 'bad', text: one.status }}
            facts={[['Time', <Ago key="when" time={one.refused_at} />]]}
          >
            <p className="soft">
              The decision is final: the device rolls the change back, and its user can make it again.
            </p>
          </MutationPanel>
        )}
      </QueryContent>
    </Drawer>
  )
}
