import type { SentMutation } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Badge } from '../../parts/badge.js'
import { useConfirm } from '../../parts/confirm.js'
import { Drawer } from '../../parts/drawer.js'
import { Icon } from '../../parts/icon.js'
import { useDo } from '../../parts/notices.js'
import { Answer } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { Notice } from './notice.js'
import { Settle } from './settle.js'
import { Wanted } from './wanted.js'

interface MutationDrawerProps {
  readonly id: string
  readonly close: () => void
  /** It was decided, and the list is another. */
  readonly decided: () => void
}

/** One change of a device: what it wanted, what the backend said, and what can be decided about it. */
export function MutationDrawer({ id, close, decided }: MutationDrawerProps): ReactNode {
  const { may } = useSession()
  const mutation = useQuery(`mutation ${id}`, options => admin.operations.mutation(id, options))
  const { data } = mutation
  return (
    <Drawer title={data ? `${data.operation} ${data.source} ${data.object}` : 'Mutation'} close={close}>
      <Answer query={mutation} what="the mutation">
        {one => (
          <>
            {one.error && (
              <p className="alert bad">
                <Icon name="warning" />
                <span className="break">
                  {one.error.message} <span className="mono">({one.error.code})</span>
                </span>
              </p>
            )}
            <Facts mutation={one} />
            <Wanted mutation={one} />
            <div className="buttons">
              <a
                className="button"
                href={linkTo('explain', { source: one.source, object: one.object, user: one.user })}
              >
                <Icon name="explain" />
                Is it on a device?
              </a>
              {may('operations.retry') && one.state === 'in_doubt' && <Decisions mutation={one} decided={decided} />}
            </div>
            {may('operations.settle') && one.state === 'in_doubt' && <Settle mutation={one} decided={decided} />}
            {may('users.ping') && <Notice user={one.user} source={one.source} />}
          </>
        )}
      </Answer>
    </Drawer>
  )
}

const Facts = ({ mutation: one }: { readonly mutation: SentMutation }): ReactNode => (
  <dl className="facts">
    <dt>State</dt>
    <dd>
      <Badge tone={one.state === 'in_doubt' ? 'bad' : one.state === 'decided' ? 'good' : 'warn'}>
        {one.outcome?.status.replaceAll('_', ' ') ?? one.state.replaceAll('_', ' ')}
      </Badge>
    </dd>
    <dt>User</dt>
    <dd>
      <a href={linkTo('users', { open: one.user })}>{one.user}</a>
    </dd>
    <dt>Device</dt>
    <dd className="mono break">
      <a href={linkTo('devices', { open: one.client })}>{one.client}</a>
    </dd>
    <dt>Calls</dt>
    <dd className="number">{one.attempts}</dd>
    {one.owners.length > 0 && (
      <>
        <dt>Belongs to</dt>
        <dd className="mono break">{one.owners.join(', ')}</dd>
      </>
    )}
    <dt>Idempotency key</dt>
    <dd className="mono break">{one.key}</dd>
  </dl>
)

function Decisions({ mutation: { id, source, object }, decided }: { mutation: SentMutation; decided: () => void }) {
  const confirm = useConfirm()
  const perform = useDo()
  const retry = async (): Promise<void> => {
    const says =
      'The backend is called again with the same idempotency key. One that does not know keys may do it twice.'
    if (!(await confirm({ title: `Retry ${source} ${object}?`, says, action: 'Retry it' }))) return
    if (await perform(() => admin.operations.retry(id), 'It was tried again.')) decided()
  }
  const discard = async (): Promise<void> => {
    const says =
      'The device rolls it back, with what depends on it. The backend may have done it: the next query tells.'
    if (!(await confirm({ title: `Discard ${source} ${object}?`, says, action: 'Discard it', danger: true }))) return
    if (await perform(() => admin.operations.discard(id), 'It is discarded.')) decided()
  }
  return (
    <>
      <button type="button" className="button primary" onClick={retry}>
        Retry it …
      </button>
      <button type="button" className="button" onClick={discard}>
        Discard it …
      </button>
    </>
  )
}
