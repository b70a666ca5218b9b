import type { Attributes, SentMutation } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { shortText } from '../../parts/values.js'

export type ComparedMutation = Pick<SentMutation, 'operation' | 'attributes' | 'was' | 'was_digests'> &
  Partial<Pick<SentMutation, 'present'>>

/** Compares, attribute by attribute, the values before the change, the requested values, and the current ones on the server if known. */
export function MutationDiff({ mutation }: { readonly mutation: ComparedMutation }): ReactNode {
  const { operation, attributes, present } = mutation
  const was = mutation.was && { ...mutation.was, ...largeValues(mutation.was_digests) }
  if (attributes === null && was === null && operation !== 'delete')
    return (
      <p className="soft">
        The content of this change is not stored: it is too large, or its source passes content through.
      </p>
    )
  const names = [...new Set([...Object.keys(attributes ?? {}), ...Object.keys(was ?? {})])].sort()
  return (
    <section className="stack tight">
      <h3>Requested change</h3>
      {operation === 'delete' && <p>The object is deleted.</p>}
      {names.length > 0 && (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              {operation !== 'create' && <th scope="col">Before</th>}
              {operation !== 'delete' && <th scope="col">Requested</th>}
              {present !== undefined && <th scope="col">On the server</th>}
            </tr>
          </thead>
          <tbody>
            {names.map(name => (
              <tr key={name}>
                <th scope="row" className="mono break">
                  {name}
                </th>
                {operation !== 'create' && <Value of={was} name={name} />}
                {operation !== 'delete' && <Value of={attributes} name={name} />}
                {present !== undefined && <Value of={present?.attributes ?? null} name={name} />}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Of a large value that the device had, only its digest is known. */
const largeValues = (digests: ComparedMutation['was_digests'] = {}): Attributes =>
  Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, `large, SHA-256 ${digest.slice(0, 8)}…`]))

const Value = ({ of, name }: { readonly of: Attributes | null; readonly name: string }): ReactNode => {
  const value = of && Object.hasOwn(of, name) ? of[name] : undefined
  return (
    <td className="break">
      {value === undefined || value === null ? <span className="soft">–</span> : shortText(value)}
    </td>
  )
}
