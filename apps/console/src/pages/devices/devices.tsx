import type { ClientLine } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { DeviceLink } from '../../parts/device-name.js'
import { Search } from '../../parts/field.js'
import { List } from '../../parts/list.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { DeviceDrawer } from './device-drawer.js'

const PAGE = 200
/** Milliseconds until a reload, because devices, workers and other operators change the data. */
const MAX_AGE = 10_000

/** All devices, or those of one user. */
export default function Devices(): ReactNode {
  const [{ user = '' }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const list = usePages<ClientLine>(
    `devices ${user}`,
    async (after, signal) => {
      const rows = await admin.clients.page({ ...(user && { user }), ...(after && { after }), limit: PAGE, signal })
      return { rows, next: rows.length === PAGE ? rows.at(-1)?.client_id : undefined }
    },
    { every: MAX_AGE },
  )
  return (
    <>
      <PageHead title="Devices" says="Which devices sync, when each last did, and its position in each source." />
      <div className="bar">
        <Search
          label="User"
          wide
          value={user}
          placeholder="all users"
          onSearch={value => setFilters({ user: value })}
        />
      </div>
      <List
        label="Devices"
        columns={columnsOf(id => linkTo('devices', { user, open: id }))}
        list={list}
        keyOf={({ client_id }) => client_id}
        empty={<EmptyState icon="devices" title="No devices" says="A device appears here after its first login." />}
      />
      {open !== undefined && (
        <DeviceDrawer
          id={open}
          close={isGone => {
            close()
            if (isGone) list.reload()
          }}
        />
      )}
    </>
  )
}

const columnsOf = (link: (id: string) => string): readonly Column<ClientLine>[] => [
  {
    title: 'Device',
    width: 'minmax(0, 2fr)',
    cell: device => <DeviceLink device={device} href={link(device.client_id)} />,
  },
  { title: 'User', width: 'minmax(0, 1fr)', cell: ({ user }) => user },
  { title: 'Last sync', width: '124px', cell: ({ last_sync }) => <Ago time={last_sync} /> },
]
