import { command } from './command.js'

export const worker = command({
  summary: 'runs background jobs of servers on Redis, configured by the same environment variables',
  local: true,
  details:
    'It opens a port only if SYNC_WORKER_PORT is set, and serves /healthz, /readyz and /metrics there. When it is ready it prints one line, `godwit worker is ready`. SIGTERM and SIGINT end it within 10 seconds; another worker takes over jobs that it cannot finish in time.',
  examples: ['SYNC_STORE=redis://cache.example:6379 godwit worker'],
  async run({ host }) {
    const { work } = await import('../start.js')
    await work(host)
    return 'running'
  },
})
