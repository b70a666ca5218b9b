import { useDevice, useQuery } from '@godwit/react'
import { useState } from 'react'
import * as models from '../models.ts'

/** Any model: this list shows all columns of whatever table is chosen. */
type Row = { readonly id: string } & { readonly [column: string]: unknown }
interface Table {
  update(id: string, changes: object): Promise<unknown>
}

const text = (value: unknown) => (value instanceof Date ? value.toLocaleString() : String(value ?? ''))

export function List() {
  const device = useDevice()
  const names = Object.keys(models) as (keyof typeof models)[]
  const [name = names[0] as keyof typeof models, setName] = useState<keyof typeof models>()
  const [search, setSearch] = useState('')
  const rows = useQuery(device.models[name]).rows as unknown as readonly Row[]
  const table = device.models[name] as unknown as Table
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const found = rows.filter(row => columns.some(column => text(row[column]).toLowerCase().includes(search)))
  return (
    <>
      <nav className="bar">
        {names.map(one => (
          <button type="button" key={one} aria-pressed={one === name} onClick={() => setName(one)}>
            {one}
          </button>
        ))}
        <input type="search" placeholder="Search" onChange={event => setSearch(event.target.value.toLowerCase())} />
      </nav>
      <div className="rows">
        <table>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, 200).map(row => (
              <tr key={row.id}>
                {columns.map(column => (
                  <td
                    key={column}
                    contentEditable={column !== 'id' && typeof row[column] === 'string'}
                    suppressContentEditableWarning
                    onBlur={({ currentTarget: { textContent } }) =>
                      textContent !== text(row[column]) && table.update(row.id, { [column]: textContent })
                    }
                  >
                    {text(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p className="empty">No rows.</p>}
      </div>
    </>
  )
}
