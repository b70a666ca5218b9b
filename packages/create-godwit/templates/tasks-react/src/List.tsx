import { useDevice, useQuery } from '@godwit/react'
import { useState } from 'react'

export function List() {
  const { models } = useDevice()
  const [search, setSearch] = useState('')
  const { rows, status } = useQuery(models.Task, { ...(search && { search }), order: { done: 'asc', title: 'asc' } })
  const add = async (form: FormData) => {
    await models.Task.create({ title: String(form.get('title')) })
  }
  return (
    <>
      <form className="bar" action={add}>
        <input name="title" placeholder="What is to be done?" required />
        <button type="submit">Add</button>
      </form>
      <div className="bar">
        <input type="search" placeholder="Search" value={search} onChange={event => setSearch(event.target.value)} />
      </div>
      <ul className="rows">
        {rows.map(({ id, title, done }) => (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={title}
              checked={done}
              onChange={() => models.Task.update(id, { done: !done })}
            />
            <span className={done ? 'done' : ''}>{title}</span>
            <button type="button" onClick={() => models.Task.destroy(id)}>
              Delete
            </button>
          </li>
        ))}
        {status === 'ready' && rows.length === 0 && (
          <li className="empty">{search ? 'Nothing is found.' : 'Nothing to do.'}</li>
        )}
      </ul>
    </>
  )
}
