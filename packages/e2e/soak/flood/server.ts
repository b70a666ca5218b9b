import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'

// A server in a child process, on `memory` or the database at the given path. Sends its address, and its processor time on request.
const [place = 'memory'] = process.argv.slice(2)
const store = place === 'memory' ? openMemoryStore() : await openSqliteStore(place)
const server = createSyncServer({
  store,
  sources: [
    defineSource({ name: 'Note', pollInterval: -1, idempotent: true, create: () => undefined }),
    defineSource({ name: 'Other', pollInterval: -1 }),
  ],
  users: ['ada', 'grace'].map(login => ({ login, password: login })),
  limits: { passwordCost: 16, outcomesPerClient: 1_000_000_000 },
})
const { url } = await server.listen({ port: 0 })
process.on('message', () => process.send?.(process.cpuUsage()))
process.send?.({ url })
