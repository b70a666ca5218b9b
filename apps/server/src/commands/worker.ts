import { command } from './command.js'

export const worker = command({
  summary: 'works on the jobs of servers on Redis; the environment configures it as it does them',
  local: true,
  details:
    'It opens no port, but where SYNC_WORKER_PORT is set: there it answers /healthz, /readyz and /metrics. When it is ready it prints one line, `godwit worker is ready`. SIGTERM and SIGINT end it within 10 seconds: what it cannot end in time, another worker gets.',
  examples: ['SYNC_STORE=redis://cache.example:6379 godwit worker'],
  async run({ host }) {
    const { work } = await import('../start.js')
    await work(host)
    return 'running'
  },
})
