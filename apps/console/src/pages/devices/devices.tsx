import type { ClientLine } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Search } from '../../parts/field.js'
import { PageHead } from '../../parts/page-head.js'
import { Failed, Nothing, Old } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { linkTo, useFilters } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { DeviceDrawer } from './device-drawer.js'

const PAGE = 200

/** Every installed device, of everybody or of one user. */
export default function Devices(): ReactNode {
  const [{ user = '', open }, setFilters] = useFilters()
  const list = usePages<ClientLine>(user, async (after, signal) => {
    const rows = await admin.clients.page({ ...(user && { user }), ...(after && { after }), limit: PAGE, signal })
    return { rows, next: rows.length === PAGE ? rows.at(-1)?.client_id : undefined }
  })
  const { rows, busy, error, more, reload } = list
  return (
    <>
      <PageHead title="Devices" says="Who syncs, when each was seen last, and how far each has come." />
      <div className="bar">
        <Search
          label="User"
          wide
          value={user}
          placeholder="everybody"
          onSearch={value => setFilters({ user: value })}
        />
      </div>
      {error !== undefined && rows.length > 0 && <Old error={error} retry={reload} />}
      {error !== undefined && rows.length === 0 ? (
        <Failed error={error} retry={reload} />
      ) : !busy && rows.length === 0 ? (
        <Nothing icon="devices" title="No devices" says="A device appears here with its first login." />
      ) : (
        <Table
          label="Devices"
          columns={columnsOf(id => linkTo('devices', { user, open: id }))}
          rows={rows}
          keyOf={({ client_id }) => client_id}
          more={more}
          busy={busy}
        />
      )}
      {open !== undefined && (
        <DeviceDrawer
          id={open}
          close={isGone => {
            setFilters({ open: undefined })
            if (isGone) reload()
          }}
        />
      )}
    </>
  )
}

const columnsOf = (link: (id: string) => string): readonly Column<ClientLine>[] => [
  {
    title: 'Device',
    width: 'minmax(0, 1.6fr)',
    cell: ({ client_id }) => (
      <a className="mono" href={link(client_id)}>
        {client_id}
      </a>
    ),
  },
  { title: 'User', width: 'minmax(0, 1fr)', cell: ({ user }) => user },
  { title: 'App', width: 'minmax(0, 1fr)', wideOnly: true, cell: one => appOf(one) },
  { title: 'Seen', width: 'minmax(0, 1fr)', cell: ({ last_sync }) => <Ago time={last_sync} /> },
]

function appOf({ device_app_id, device_app_version }: ClientLine): ReactNode {
  const app = [device_app_id, device_app_version].filter(part => part !== null).join(' ')
  return app === '' ? <span className="soft">not told</span> : app
}
