import type { TokenInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { Badge } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { Choice, Search } from '../../parts/field.js'
import { useAction } from '../../parts/notices.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { useFilters } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'

/** Valid API tokens: tokens of scripts and sessions of this console. */
export default function Tokens(): ReactNode {
  const { session } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const [{ login = '', use = '' }, setFilters] = useFilters()
  const tokens = useQuery('tokens', options => admin.system.tokens(options))
  const revoke = async ({ id, login, console }: TokenInfo): Promise<void> => {
    const what = console ? `the session of ${login}` : `the token of ${login}`
    const says = 'Programs that use it are rejected and must log in again.'
    if (!(await confirm({ title: `Revoke ${what}?`, says, undo: 'never', action: 'Revoke', danger: true }))) return
    if (await perform(() => admin.system.revokeToken(id), `Revoked ${what}.`)) tokens.reload()
  }
  const whose = session.role === 'admin' ? 'All valid API tokens.' : 'Your valid API tokens.'
  return (
    <>
      <PageHead title="Tokens" says={`${whose} Their secrets are never shown.`} />
      <div className="bar">
        <Search label="User" value={login} placeholder="all users" onSearch={value => setFilters({ login: value })} />
        <Choice
          label="Used by"
          value={use}
          options={[
            ['', 'any'],
            ['console', 'the console'],
            ['scripts', 'scripts'],
          ]}
          onChange={event => setFilters({ use: event.target.value })}
        />
      </div>
      <QueryContent query={tokens} what="the tokens">
        {all => {
          const matching = all.filter(one => one.login.includes(login) && (use === '' || useOf(one) === use))
          if (matching.length > 0)
            return <Table label="Tokens" columns={columnsOf(revoke)} rows={matching} keyOf={({ id }) => id} />
          return <EmptyState icon="tokens" title="No tokens" says="No tokens match." />
        }}
      </QueryContent>
    </>
  )
}

const useOf = ({ console }: TokenInfo): string => (console ? 'console' : 'scripts')

const columnsOf = (revoke: (token: TokenInfo) => Promise<void>): readonly Column<TokenInfo>[] => [
  { title: 'User', width: 'minmax(0, 1.3fr)', cell: ({ login }) => login },
  { title: 'Role', width: '100px', wideOnly: true, cell: ({ role }) => <Badge tone="accent">{role}</Badge> },
  { title: 'Used by', width: '110px', cell: ({ console }) => (console ? 'the console' : 'scripts') },
  {
    title: 'Last used',
    width: '132px',
    wideOnly: true,
    cell: one => <Ago time={one.last_used ?? one.created_at} />,
  },
  { title: 'Expires', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ expires_at }) => <Ago time={expires_at} /> },
  {
    title: 'Action',
    width: '126px',
    end: true,
    cell: token => (
      <button
        type="button"
        className="button plain"
        aria-label={`Revoke the token of ${token.login}, created ${token.created_at}`}
        onClick={() => revoke(token)}
      >
        Revoke…
      </button>
    ),
  },
]
