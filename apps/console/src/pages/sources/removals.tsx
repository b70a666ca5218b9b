import type { PartitionState, PendingRemovals } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { useConfirm } from '../../parts/confirm.js'
import { number } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { useAction } from '../../parts/notices.js'
import { linkTo } from '../../routes.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'

const countOf = (count: number): string => `${number(count)} ${count === 1 ? 'removal' : 'removals'}`

interface RemovalsProps {
  readonly source: string
  /** A login, or `*` for the shared partition. */
  readonly user: string
  readonly removals: PendingRemovals
  readonly changed: () => void
}

/** The removals of a partition that are held back, with the action that applies them at once. */
export function Removals({ source, user, removals, changed }: RemovalsProps): ReactNode {
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const { count, since, confirm_at, accepted } = removals
  const accept = async (): Promise<void> => {
    const yes = await confirm({
      title: `Apply ${countOf(count)} of ${source}?`,
      says: 'The backend is queried immediately. If the result would still remove these objects, they are removed from this partition and from all devices.',
      undo: 'never',
      action: 'Apply now',
    })
    if (!yes) return
    await perform(() => admin.sources.acceptRemovals(source, user), applied)
    changed()
  }
  const applied = ({ error, pending_removals: left, count: present }: PartitionState): string => {
    if (error !== null) return `The query of ${source} failed: ${error.message}`
    if (left !== null) return `${countOf(left.count)} of ${source} are still held back.`
    return `The removals were applied: ${source} has ${number(present)} ${present === 1 ? 'object' : 'objects'}.`
  }
  return (
    <div className="alert">
      <Icon name="warning" />
      <div className="break">
        <p>
          {countOf(count)} held back since <Ago time={since} />: the query would remove too many objects.
        </p>
        <p className="soft">{expectationOf(confirm_at, accepted)}</p>
      </div>
      {may('sources.acceptRemovals') && (
        <button type="button" className="button" onClick={accept}>
          Apply…
        </button>
      )}
    </div>
  )
}

function expectationOf(confirmAt: string | null, accepted: boolean): ReactNode {
  if (accepted) return 'Accepted: the next query that confirms the removals applies them.'
  if (confirmAt === null) return 'They stay until an operator applies them.'
  return (
    <>
      A query that confirms the removals applies them, starting <Ago time={confirmAt} />.
    </>
  )
}

/** Links to the partitions of a source with removals that are held back. */
export function PartitionsWithRemovals({ source }: { readonly source: string }): ReactNode {
  const { data } = useQuery(`removals ${source}`, options => admin.system.state(options))
  const found = data?.pending_removals.filter(one => one.source === source) ?? []
  if (found.length === 0) return null
  return (
    <ul className="stack tight" aria-label="Removals held back">
      {found.map(({ partition, count }) => (
        <li key={partition}>
          <Partition source={source} partition={partition} />: <span className="number">{countOf(count)}</span> held
          back
        </li>
      ))}
    </ul>
  )
}

const USER = 'user:'

/** Links to the partition of a single user; others are reached through any of their users. */
function Partition({ source, partition }: { readonly source: string; readonly partition: string }): ReactNode {
  if (!partition.startsWith(USER)) return <span className="mono break">{partition}</span>
  const user = partition.slice(USER.length)
  return <a href={linkTo('sources', { open: source, user })}>{user}</a>
}
