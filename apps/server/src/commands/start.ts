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
    'demo-provider': {
      says: 'the demo also signs in with its own identity provider, on port 8676 (SYNC_DEMO_PROVIDER)',
    },
  },
  details:
    'When it is ready it prints one line, `godwit listening on URL`. SIGTERM and SIGINT end it within 10 seconds. It exits with 1 after an uncaught error in its own code: let a supervisor restart it.',
  examples: [
    'godwit start',
    'godwit start --demo-provider',
    'godwit start --demo postgres://127.0.0.1/postgres',
    'PORT=80 HOST=0.0.0.0 SYNC_STORE=sqlite:/var/lib/godwit/store.sqlite godwit start',
  ],
  async run({ host, options: { demo, 'demo-provider': hasProvider = false } }) {
    const { start: startServer } = await import('../start.js')
    await startServer(host, {
      ...host.env,
      ...(demo !== undefined && { SYNC_DEMO: addressOf(demo, host.env) }),
      ...(hasProvider && { SYNC_DEMO_PROVIDER: host.env['SYNC_DEMO_PROVIDER'] || '8676' }),
    })
    return 'running'
  },
})

const addressOf = (demo: string, { DATABASE_URL = 'postgres://127.0.0.1/postgres' }: Environment): string =>
  demo === 'postgres' ? DATABASE_URL : demo
