import type { ReactNode } from 'react'
import { lineOf, plain, took, whole } from './event-text.js'
import { queryText } from './query-text.js'
import type { Report } from './report.js'

interface Column {
  readonly name: string
  readonly className?: string
}

const Table = ({ columns, children }: { readonly columns: readonly Column[]; readonly children: ReactNode }) => (
  <table>
    <thead>
      <tr>
        {columns.map(({ name, className }) => (
          <th key={name} scope="col" className={className}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

const None = ({ children }: { readonly children: ReactNode }) => <p className="none">{children}</p>

const EVENTS = [
  { name: 'Time', className: 'fixed time' },
  { name: 'Event', className: 'fixed' },
  { name: 'Details' },
  { name: 'Result', className: 'fixed' },
  { name: 'Duration', className: 'fixed number' },
]

export function Events({ seen }: Report) {
  if (seen.length === 0) return <None>Nothing yet. Change something, here or in another window.</None>
  return (
    <Table columns={EVENTS}>
      {seen.map(({ key, at, event }) => {
        const { about, much, long, isBad } = lineOf(event)
        return (
          <tr key={key} data-bad={isBad}>
            <td className="fixed time">
              <time dateTime={new Date(at).toISOString()}>
                {new Date(at).toLocaleTimeString('en', { hour12: false })}
              </time>
            </td>
            <td className="fixed kind">{event.kind}</td>
            <td className="about">{about}</td>
            <td className="fixed">{much}</td>
            <td className="fixed number">{long}</td>
          </tr>
        )
      })}
    </Table>
  )
}

const QUERIES = [
  { name: 'Model', className: 'fixed' },
  { name: 'Query' },
  { name: 'Rows', className: 'fixed number' },
  { name: 'Runs', className: 'fixed number' },
  { name: 'Last duration', className: 'fixed number' },
]

export function Queries({ queries }: Report) {
  if (queries.length === 0) return <None>No live queries.</None>
  return (
    <Table columns={QUERIES}>
      {queries.map(({ query, model, text, rows, runs: times, milliseconds }) => (
        <tr key={query}>
          <td className="fixed kind">{model}</td>
          <td className="about">{queryText(text)}</td>
          <td className="fixed number">{whole(rows)}</td>
          <td className="fixed number">{whole(times)} ×</td>
          <td className="fixed number">{took(milliseconds)}</td>
        </tr>
      ))}
    </Table>
  )
}

const OUTBOX = [
  { name: 'Model', className: 'fixed' },
  { name: 'Change', className: 'fixed' },
  { name: 'Attributes' },
  { name: 'State', className: 'fixed' },
]

export function Outbox({ changes }: Report) {
  if (changes.length === 0) return <None>No changes are waiting: the server has processed all of them.</None>
  return (
    <Table columns={OUTBOX}>
      {changes.map(({ model, object, operation, state, attributes }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several changes of an object may wait, in their order
        <tr key={`${model} ${object} ${at}`}>
          <td className="fixed kind">{model}</td>
          <td className="fixed">{operation}</td>
          <td className="about">{plain(JSON.stringify(attributes))}</td>
          <td className="fixed">{state}</td>
        </tr>
      ))}
    </Table>
  )
}
