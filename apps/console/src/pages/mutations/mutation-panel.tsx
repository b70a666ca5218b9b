import type { SentMutation } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Badge, type Tone } from '../../parts/badge.js'
import { deviceName } from '../../parts/device-name.js'
import { Icon } from '../../parts/icon.js'
import type { Column } from '../../parts/table.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'
import { type ComparedMutation, MutationDiff } from './mutation-diff.js'
import { Notice } from './notice.js'

/** The members of every mutation, decided or not. */
export interface DeviceWrite extends ComparedMutation {
  readonly id: string
  readonly source: string
  readonly object: string
  readonly user: string
  readonly client: string
}

type Fact = readonly [name: string, value: ReactNode]

interface MutationPanelProps {
  readonly mutation: DeviceWrite
  readonly error: SentMutation['error']
  readonly state: { readonly tone: Tone; readonly text: string }
  readonly facts: readonly Fact[]
  /** Shown beside the link to the devices. */
  readonly buttons?: ReactNode
  readonly children?: ReactNode
}

/** One mutation: the backend's response, its content and author, and the possible actions. */
export function MutationPanel({ mutation, error, state, facts, buttons, children }: MutationPanelProps): ReactNode {
  const { may } = useSession()
  const { source, object, user, client } = mutation
  const all: readonly Fact[] = [
    ['State', <Badge tone={state.tone}>{state.text.replaceAll('_', ' ')}</Badge>],
    ['User', <a href={linkTo('users', { open: user })}>{user}</a>],
    [
      'Device',
      <a href={linkTo('devices', { open: client })}>
        <DeviceOf id={client} />
      </a>,
    ],
    ...facts,
  ]
  return (
    <>
      {error && (
        <p className="alert bad">
          <Icon name="warning" />
          <span className="break">
            {error.message} <span className="mono">({error.code})</span>
          </span>
        </p>
      )}
      <dl className="facts">
        {all.map(([name, value]) => (
          <FactLine key={name} name={name} value={value} />
        ))}
      </dl>
      <MutationDiff mutation={mutation} />
      <div className="buttons">
        <a className="button" href={linkTo('explain', { source, object, user })}>
          <Icon name="explain" />
          Is it on a device?
        </a>
        {buttons}
      </div>
      {children}
      {may('users.ping') && <Notice user={user} source={source} />}
    </>
  )
}

/** The name of a device, with its id; the id alone until the name is known, or if the device is gone. */
function DeviceOf({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(`client ${id}`, options => admin.clients.get(id, options))
  return (
    <>
      {data && <span className="line">{deviceName(data)}</span>}
      <Mono>{id}</Mono>
    </>
  )
}

const FactLine = ({ name, value }: { readonly name: string; readonly value: ReactNode }): ReactNode => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)

export const Mono = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <span className="mono break">{children}</span>
)

export const titleOf = (mutation: DeviceWrite | undefined): string =>
  mutation ? `${mutation.operation} ${mutation.source} ${mutation.object}` : 'Mutation'

/** The first columns of lists of mutations. */
export const writeColumns = (
  link: (id: string) => string,
): readonly Column<Omit<DeviceWrite, 'attributes' | 'was'>>[] => [
  {
    title: 'Object',
    width: 'minmax(0, 1.4fr)',
    cell: ({ id, source, object }) => (
      <a href={link(id)}>
        {source} {object}
      </a>
    ),
  },
  { title: 'Operation', width: '90px', cell: ({ operation }) => <Badge>{operation}</Badge> },
  { title: 'User', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ user }) => user },
]
