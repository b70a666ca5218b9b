import type { SourceInfo } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Drawer } from '../../parts/drawer.js'
import { Icon } from '../../parts/icon.js'
import { Loading } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Copy } from './copy.js'
import { SettingsForm } from './settings-form.js'

/** Where the calls of sources without own code go. */
function Backend(): ReactNode {
  const { data } = useQuery('app server', options => admin.system.readAppServer(options))
  if (!data) return null
  return (
    <dl className="facts">
      <dt>Plugin backend</dt>
      <dd className="break">
        {data.adapter_url === null ? (
          <span className="soft">none: sources are code of this server</span>
        ) : (
          data.adapter_url
        )}{' '}
        <a href={linkTo('settings')}>Settings</a>
      </dd>
    </dl>
  )
}

interface SourceDrawerProps {
  readonly source: SourceInfo | undefined
  readonly name: string
  readonly reload: () => void
  readonly close: () => void
}

/** One source: its shared copy, what it calls, and its settings. */
export function SourceDrawer({ source, name, reload, close }: SourceDrawerProps): ReactNode {
  const { may } = useSession()
  return (
    <Drawer title={name} close={close}>
      {source === undefined ? (
        <Loading what={name} />
      ) : (
        <>
          {source.partition_type === 'app' ? (
            <Copy source={name} user="*" />
          ) : (
            <p className="soft">Each user has a separate copy; a user's page shows its state.</p>
          )}
          {source.partition_type === 'app' && may('users.objects') && (
            <div className="buttons">
              <a className="button" href={linkTo('objects', { source: name, user: '*' })}>
                <Icon name="objects" />
                Show its objects
              </a>
            </div>
          )}
          {may('system.readAppServer') && <Backend />}
          <SettingsForm
            key={JSON.stringify(source)}
            source={source}
            isOpen={may('sources.update')}
            save={change => admin.sources.update(name, change)}
            saved={reload}
          />
        </>
      )}
    </Drawer>
  )
}
