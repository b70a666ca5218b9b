import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Search } from '../../parts/field.js'
import { PageHead } from '../../parts/page-head.js'
import { Failed, Nothing, Old } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { linkTo, useFilters } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { useQuery } from '../../use-query.js'
import { DeviceDrawer } from './device-drawer.js'

const PAGE = 200

/** Every installed device, of everybody or of one user. */
export default function Devices(): ReactNode {
  const [{ user = '', open }, setFilters] = useFilters()
  const list = usePages<string>(user, async (after, signal) => {
    const rows = await admin.clients.list({ ...(user && { user }), ...(after && { after }), limit: PAGE, signal })
    return { rows, next: rows.length === PAGE ? rows.at(-1) : undefined }
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
          keyOf={id => id}
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

const columnsOf = (link: (id: string) => string): readonly Column<string>[] => [
  {
    title: 'Device',
    width: 'minmax(0, 1.6fr)',
    cell: id => (
      <a className="mono" href={link(id)}>
        {id}
      </a>
    ),
  },
  { title: 'User', width: 'minmax(0, 1fr)', cell: id => <Of id={id} what="user" /> },
  { title: 'App', width: 'minmax(0, 1fr)', wideOnly: true, cell: id => <Of id={id} what="app" /> },
  { title: 'Seen', width: 'minmax(0, 1fr)', cell: id => <Of id={id} what="seen" /> },
]

/** Milliseconds for which a row that scrolls back into view shows what was loaded. */
const ROW = { fresh: 30_000 }

/** Asked for once for each row in sight. */
function Of({ id, what }: { readonly id: string; readonly what: 'user' | 'app' | 'seen' }): ReactNode {
  const { data } = useQuery(`client ${id}`, options => admin.clients.get(id, options), ROW)
  if (data === undefined) return <span className="soft">…</span>
  if (what === 'user') return data.user
  if (what === 'seen') return <Ago time={data.last_sync} />
  const app = [data.device_app_id, data.device_app_version].filter(part => part !== null).join(' ')
  return app === '' ? <span className="soft">not told</span> : app
}
