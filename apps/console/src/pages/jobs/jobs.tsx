import type { JobInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge, type Tone } from '../../parts/badge.js'
import { Choice, Search } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { List } from '../../parts/list.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { useFilters } from '../../routes.js'
import { usePages } from '../../use-pages.js'

const PAGE = 200
/** Milliseconds until a reload, because devices, workers and other operators change the data. */
const MAX_AGE = 10_000
const TONES: { readonly [State in JobInfo['state']]: Tone } = { waiting: 'plain', running: 'accent', dead: 'bad' }

/** Unfinished background jobs. */
export default function Jobs(): ReactNode {
  const [{ state = '', queue = '' }, setFilters] = useFilters()
  const list = usePages<JobInfo>(
    `jobs ${state} ${queue}`,
    async (after, signal) => {
      const filter = { ...(state && { state: state as JobInfo['state'] }), ...(queue && { queue }) }
      const rows = await admin.system.jobs({ ...filter, ...(after && { after }), limit: PAGE, signal })
      return { rows, next: rows.length === PAGE ? rows.at(-1)?.id : undefined }
    },
    { every: MAX_AGE },
  )
  return (
    <>
      <PageHead title="Jobs" says="Queued queries and writes of sources, push messages, and bulk files." />
      <div className="bar">
        <Choice
          label="State"
          value={state}
          options={[
            ['', 'any'],
            ['waiting', 'waiting'],
            ['running', 'running'],
            ['dead', 'dead'],
          ]}
          onChange={event => setFilters({ state: event.target.value })}
        />
        <Search label="Queue" wide value={queue} placeholder="any" onSearch={value => setFilters({ queue: value })} />
        <button type="button" className="button" onClick={list.reload}>
          Refresh
        </button>
      </div>
      <List
        label="Jobs"
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="check" title="No jobs" says="No background work is pending." />}
      />
    </>
  )
}

const COLUMNS: readonly Column<JobInfo>[] = [
  { title: 'Kind', width: 'minmax(0, 1fr)', cell: ({ kind }) => kind },
  { title: 'State', width: '100px', cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
  { title: 'Queue', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ queue }) => queue },
  { title: 'Source', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ source }) => source ?? '–' },
  { title: 'Due', width: 'minmax(0, 1fr)', cell: ({ due_at }) => <Ago time={due_at} /> },
  { title: 'Attempts', width: '92px', end: true, wideOnly: true, cell: ({ attempts }) => number(attempts) },
  {
    title: 'Last error',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ reason }) => <span title={reason ?? ''}>{reason ?? '–'}</span>,
  },
]
