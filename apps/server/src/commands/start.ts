import { command } from './command.js'

export const start = command({
  summary: 'runs the sync server, configured by environment variables',
  local: true,
  details:
    'When it is ready it prints one line, `godwit listening on URL`. SIGTERM and SIGINT end it within 10 seconds. It exits with 1 after an uncaught error in its own code: let a supervisor restart it.',
  examples: ['godwit start', 'PORT=80 HOST=0.0.0.0 SYNC_STORE=sqlite:/var/lib/godwit/store.sqlite godwit start'],
  async run({ host }) {
    const { start: startServer } = await import('../start.js')
    await startServer(host)
    return 'running'
  },
})
