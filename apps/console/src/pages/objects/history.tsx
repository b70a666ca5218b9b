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
              {found.versions.length > 0 && ' Only the present content is kept: of earlier versions, who and when.'}
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
  none: 'That is all.',
  more: 'There are earlier versions.',
  first: 'That is all: this version is the first of the copy.',
  many: 'What was before is not known: the last change that is shown wrote many objects at once.',
  forgotten: 'Earlier changes are not known any more: the server keeps the last ones of each copy, for 90 days.',
  never: 'The server has never had it.',
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
          <th scope="col">What</th>
          <th scope="col">When</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, operation, changed_at, by }) => (
          <tr key={version}>
            <td className="end">{number(version)}</td>
            <td>{operation}</td>
            <td>
              <Ago time={changed_at} never="not known" />
            </td>
            <td className="break">{by ? <Author by={by} /> : <span className="soft">not known</span>}</td>
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
