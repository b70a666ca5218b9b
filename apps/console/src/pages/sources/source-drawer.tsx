import type { SourceInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Drawer } from '../../parts/drawer.js'
import { Search } from '../../parts/field.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { linkTo, useFilters } from '../../routes.js'
import { useSession } from '../../session.js'
import { type QueryState, useQuery } from '../../use-query.js'
import { Copy } from './copy.js'
import { PartitionsWithRemovals } from './removals.js'
import { SettingsForm } from './settings-form.js'

/** The plugin backend, which serves sources without code in the server. */
function Backend(): ReactNode {
  const { data } = useQuery('app server', options => admin.system.readAppServer(options))
  if (!data) return null
  return (
    <dl className="facts">
      <dt>Plugin backend</dt>
      <dd className="break">
        {data.adapter_url === null ? (
          <span className="soft">none: the server's own code serves the sources</span>
        ) : (
          data.adapter_url
        )}{' '}
        <a href={linkTo('settings')}>Settings</a>
      </dd>
    </dl>
  )
}

/** The partition of a user, after a login was entered. */
function CopyOfUser({ source }: { readonly source: string }): ReactNode {
  const [{ user = '' }, setFilters] = useFilters()
  return (
    <section className="stack tight">
      <Search
        label="Partition of user"
        hint="Each user has a separate partition."
        value={user}
        placeholder="login"
        onSearch={value => setFilters({ user: value })}
      />
      <PartitionsWithRemovals source={source} />
      {user !== '' && <Copy key={user} source={source} user={user} />}
    </section>
  )
}

interface SourceDrawerProps {
  readonly sources: QueryState<readonly SourceInfo[]>
  readonly name: string
  readonly close: () => void
}

/** Details of one source: its partitions, backend and settings. */
export function SourceDrawer({ sources, name, close }: SourceDrawerProps): ReactNode {
  return (
    <Drawer title={name} close={close}>
      <QueryContent query={sources} what={name}>
        {all => {
          const source = all.find(one => one.name === name)
          if (!source) return <EmptyState title="Source not found" says={`There is no source “${name}”.`} />
          return <Source source={source} reload={sources.reload} />
        }}
      </QueryContent>
    </Drawer>
  )
}

function Source({ source, reload }: { readonly source: SourceInfo; readonly reload: () => void }): ReactNode {
  const { may } = useSession()
  const { name, partition_type } = source
  return (
    <>
      {partition_type === 'app' ? <Copy source={name} user="*" /> : <CopyOfUser source={name} />}
      {may('system.readAppServer') && <Backend />}
      <SettingsForm
        key={JSON.stringify(source)}
        source={source}
        isOpen={may('sources.update')}
        save={change => admin.sources.update(name, change)}
        saved={reload}
      />
    </>
  )
}
