// A JSON file for each user, to start with: replace these four functions by calls of your own system.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const folder = process.env.DATA ?? 'tasks'
const file = user => `${folder}/${encodeURIComponent(user)}.json`
const load = user => (existsSync(file(user)) ? JSON.parse(readFileSync(file(user), 'utf8')) : {})
const save = (user, tasks) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file(user), `${JSON.stringify(tasks, null, 2)}\n`)
}

export const backend = refusal => {
  const check = ({ title = '' }) => {
    if (title.length > 60) throw refusal('A title has at most 60 letters.')
  }
  return {
    query: ({ user }) => load(user),
    create(task, { user, idempotencyKey }) {
      check(task)
      save(user, { ...load(user), [idempotencyKey]: task })
      return idempotencyKey
    },
    update(id, changes, { user }) {
      check(changes)
      const tasks = load(user)
      save(user, { ...tasks, [id]: { ...tasks[id], ...changes } })
    },
    delete(id, { user }) {
      const { [id]: gone, ...others } = load(user)
      save(user, others)
    },
  }
}
