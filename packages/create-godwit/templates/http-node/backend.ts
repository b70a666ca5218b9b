// The backend: the server calls it for logins, and to read and write tasks. Keep them wherever you like.
import { createServer } from 'node:http'
import { createPlugin, nodeHandler, refusal } from '@godwit/plugin'

interface Task {
  title: string
  done?: boolean
}

const users = new Map(['ada', 'grace', 'linus'].map(login => [login, new Map<string, Task>()]))
users.get('ada')?.set('1', { title: 'Open the second device', done: false })

const tasksOf = (user: string) => users.get(user) ?? new Map<string, Task>()
function check({ title = '' }: Partial<Task>): void {
  if (title.length > 60) throw refusal('A title has at most 60 letters.')
}

const plugin = createPlugin({
  secret: process.env['BACKEND_SECRET'] ?? '',
  authenticate: (login, password) => users.has(login) && password === login,
  sources: {
    Task: {
      query: ({ user }) => Object.fromEntries(tasksOf(user)),
      create(task: Task, { user, idempotencyKey }) {
        check(task)
        tasksOf(user).set(idempotencyKey, task)
        return idempotencyKey
      },
      update(id: string, changes: Partial<Task>, { user }) {
        check(changes)
        tasksOf(user).set(id, { ...(tasksOf(user).get(id) as Task), ...changes })
      },
      delete: (id: string, { user }) => void tasksOf(user).delete(id),
    },
  },
})

createServer(nodeHandler(plugin)).listen(Number(process.env['BACKEND_PORT'] ?? 9000), '127.0.0.1')
