import type { SourceInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Badge } from '../../parts/badge.js'
import { Search } from '../../parts/field.js'
import { interval, number } from '../../parts/format.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { useQuery } from '../../use-query.js'
import { SourceDrawer } from './source-drawer.js'

/** All sources with their settings and the state of their shared partition. */
export default function Sources(): ReactNode {
  const sources = useQuery('sources', options => admin.sources.all(options))
  const [{ name = '' }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const filterSources = (all: readonly SourceInfo[]) =>
    all.filter(one => one.name.toLowerCase().includes(name.toLowerCase()))
  return (
    <>
      <PageHead title="Sources" says="Where objects come from, how often they are queried, and what failed." />
      <div className="bar">
        <Search label="Name" wide value={name} onSearch={value => setFilters({ name: value })} />
      </div>
      <QueryContent query={sources} what="the sources">
        {all =>
          all.length === 0 ? (
            <EmptyState
              icon="sources"
              title="No sources"
              says="Set SYNC_CONFIG to a configuration file with sources, and restart the server."
            />
          ) : (
            <Table label="Sources" columns={columnsOf(name)} rows={filterSources(all)} keyOf={one => one.name} />
          )
        }
      </QueryContent>
      {open !== undefined && <SourceDrawer key={open} sources={sources} name={open} close={close} />}
    </>
  )
}

const columnsOf = (name: string): readonly Column<SourceInfo>[] => [
  {
    title: 'Name',
    width: 'minmax(0, 2fr)',
    cell: one => <a href={linkTo('sources', { name, open: one.name })}>{one.name}</a>,
  },
  {
    title: 'Partition',
    width: '112px',
    cell: one => (
      <Badge tone={one.partition_type === 'app' ? 'accent' : 'plain'}>
        {one.partition_type === 'app' ? 'shared' : 'per user'}
      </Badge>
    ),
  },
  { title: 'Queried', width: '132px', cell: one => interval(one.poll_interval) },
  { title: 'Priority', width: '80px', end: true, wideOnly: true, cell: one => number(one.sync_priority) },
  { title: 'Queue', width: 'minmax(128px, 1fr)', wideOnly: true, cell: one => one.queue ?? 'none' },
  {
    title: 'Delivery',
    width: '112px',
    wideOnly: true,
    cell: one => (one.sync_type === 'bulk_only' ? 'bulk file' : 'pull'),
  },
]
