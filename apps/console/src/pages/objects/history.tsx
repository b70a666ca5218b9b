import type { ChangeAuthor, ObjectHistory } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { number } from '../../parts/format.js'
import { QueryContent } from '../../parts/states.js'
import { linkTo } from '../../routes.js'
import { useQuery } from '../../use-query.js'

interface HistoryProps {
  readonly source: string
  readonly user: string
  readonly id: string
}

const PAGE_SIZE = 20
const MAX_VERSIONS = 1000

/** The change history of an object, newest first. */
export function History({ source, user, id }: HistoryProps): ReactNode {
  const [limit, setLimit] = useState(PAGE_SIZE)
  const history = useQuery(`history ${source} ${user} ${id} ${limit}`, options =>
    admin.users.history(user, source, id, { limit, ...options }),
  )
  return (
    <section className="stack tight">
      <h3>History</h3>
      <QueryContent query={history} what="its history">
        {found => (
          <>
            {found.versions.length > 0 && <Versions versions={found.versions} />}
            <p className="soft">
              {EARLIER_MESSAGES[earlierStateOf(found)]}
              {found.versions.length > 0 &&
                ' Only the current content is kept; of earlier versions, the author and time.'}
            </p>
            {found.earlier === 'more' && limit < MAX_VERSIONS && (
              <button type="button" className="button" onClick={() => setLimit(MAX_VERSIONS)}>
                Show more versions
              </button>
            )}
          </>
        )}
      </QueryContent>
    </section>
  )
}

const EARLIER_MESSAGES = {
  none: 'There are no earlier versions.',
  more: 'There are earlier versions.',
  first: 'There are no earlier versions: this one is the first of the partition.',
  many: 'Earlier versions are unknown: the last change shown wrote many objects at once.',
  forgotten: 'Earlier changes are no longer recorded: the server keeps the latest ones of each partition, for 90 days.',
  never: 'The server has never had this object.',
} as const

function earlierStateOf({ state, earlier, versions }: ObjectHistory): keyof typeof EARLIER_MESSAGES {
  if (state === 'never') return 'never'
  const last = versions.at(-1)
  if (earlier !== 'forgotten' || !last) return earlier
  return last.version === 1 ? 'first' : last.changed_at === null ? 'forgotten' : 'many'
}

function Versions({ versions }: Pick<ObjectHistory, 'versions'>): ReactNode {
  return (
    <table className="plain-table" aria-label="Versions">
      <thead>
        <tr>
          <th scope="col" className="end">
            Version
          </th>
          <th scope="col">Change</th>
          <th scope="col">Time</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, operation, changed_at, by }) => (
          <tr key={version}>
            <td className="end">{number(version)}</td>
            <td>{operation}</td>
            <td>
              <Ago time={changed_at} never="unknown" />
            </td>
            <td className="break">{by ? <Author by={by} /> : <span className="soft">unknown</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Author({ by: { kind, login, client } }: { readonly by: ChangeAuthor }): ReactNode {
  if (kind === 'query') return 'a query of the source'
  if (kind !== 'device') return `${kind === 'push' ? 'a push by' : 'an edit by'} ${login}`
  return (
    <>
      <a href={linkTo('users', { open: login ?? '' })}>{login}</a> on{' '}
      <a href={linkTo('devices', { open: client ?? '' })}>a device</a>
    </>
  )
}
