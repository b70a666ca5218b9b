import type { Environment } from '../environment.js'
import { command } from './command.js'

export const start = command({
  summary: 'runs the sync server, configured by environment variables',
  local: true,
  options: {
    demo: {
      takes: 'ADDRESS',
      says: 'the demo serves tables of this PostgreSQL (SYNC_DEMO); `postgres`: the one of DATABASE_URL',
    },
  },
  details:
    'When it is ready it prints one line, `godwit listening on URL`. SIGTERM and SIGINT end it within 10 seconds. It exits with 1 after an uncaught error in its own code: let a supervisor restart it.',
  examples: [
    'godwit start',
    'godwit start --demo postgres://127.0.0.1/postgres',
    'PORT=80 HOST=0.0.0.0 SYNC_STORE=sqlite:/var/lib/godwit/store.sqlite godwit start',
  ],
  async run({ host, options: { demo } }) {
    const { start: startServer } = await import('../start.js')
    await startServer(host, demo === undefined ? host.env : { ...host.env, SYNC_DEMO: addressOf(demo, host.env) })
    return 'running'
  },
})

const addressOf = (demo: string, { DATABASE_URL = 'postgres://127.0.0.1/postgres' }: Environment): string =>
  demo === 'postgres' ? DATABASE_URL : demo
