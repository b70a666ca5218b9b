import type { User } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { Choice, Search } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { List } from '../../parts/list.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { useSession } from '../../session.js'
import { usePages } from '../../use-pages.js'
import { NewUser } from './new-user.js'
import { UserDrawer } from './user-drawer.js'

const PAGE = 100
const ROLES = ['device', 'reader', 'operator', 'plugin', 'admin'] as const
type Role = (typeof ROLES)[number]

/** All users, of devices and of the API. */
export default function Users(): ReactNode {
  const { may } = useSession()
  const [{ role = 'device', from = '', make }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const list = usePages<User>(`users ${role} ${from}`, async (after, signal) => {
    const behind = after ?? textBefore(from)
    const rows = await admin.users.page({ role: role as Role, ...(behind && { after: behind }), limit: PAGE, signal })
    return { rows, next: rows.length === PAGE ? rows.at(-1)?.login : undefined }
  })
  return (
    <>
      <PageHead title="Users" says="People with devices, and users of the API and this console.">
        {may('users.create') && (
          <button type="button" className="button primary" onClick={() => setFilters({ make: 'yes' })}>
            <Icon name="add" />
            New user
          </button>
        )}
      </PageHead>
      <div className="bar">
        <Choice
          label="Role"
          value={role}
          options={ROLES.map(one => [one, one])}
          onChange={event => setFilters({ role: event.target.value })}
        />
        <Search
          label="Start at login"
          wide
          value={from}
          placeholder="first login to list"
          onSearch={value => setFilters({ from: value })}
        />
      </div>
      <List
        label="Users"
        columns={columnsOf(login => linkTo('users', { role, from, open: login }))}
        list={list}
        keyOf={({ login }) => login}
        empty={
          <EmptyState
            icon="users"
            title="No users"
            says={`There are no users with the role ${role}${from && ` at or after ${from}`}.`}
          />
        }
      />
      {make !== undefined && (
        <NewUser
          close={made => {
            setFilters({ make: undefined, ...(made?.length === 1 && { open: made[0] }) })
            if (made) list.reload()
          }}
        />
      )}
      {open !== undefined && (
        <UserDrawer
          login={open}
          changed={list.reload}
          close={isGone => {
            close()
            if (isGone) list.reload()
          }}
        />
      )}
    </>
  )
}

/** Returns a text that sorts just before `from`, so that a list after it begins with `from` itself. */
const textBefore = (from: string): string =>
  from === '' ? '' : from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) - 1)

const columnsOf = (link: (login: string) => string): readonly Column<User>[] => [
  {
    title: 'Login',
    width: 'minmax(0, 2fr)',
    cell: ({ login, locked }) => (
      <>
        <a href={link(login)}>{login}</a> {locked && <Badge tone="warn">locked</Badge>}
      </>
    ),
  },
  { title: 'Devices', width: '90px', end: true, cell: ({ clients }) => number(clients) },
  {
    title: 'Attributes',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ attributes }) => <AttributesCell attributes={attributes} />,
  },
  {
    title: 'Created',
    width: '132px',
    wideOnly: true,
    cell: ({ created_at }) => <Ago time={created_at} />,
  },
]

function AttributesCell({ attributes }: Pick<User, 'attributes'>): ReactNode {
  const given = Object.entries(attributes).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  if (given.length === 0) return <span className="soft">none</span>
  return <span title={given.join('\n')}>{given.join(', ')}</span>
}
