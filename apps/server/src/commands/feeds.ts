import { command } from './command.js'
import { formatTable } from './view/columns.js'

export const feeds = command({
  summary: 'lists what tells the server of changes, and whether it is up to date',
  examples: ['godwit feeds', 'godwit feeds --json'],
  async run({ admin, host, print }) {
    print(await (await admin()).sources.feeds(), rows =>
      formatTable(
        rows,
        [
          'name',
          'sources',
          'stale_since',
          'heartbeat_at',
          'applied_at',
          'lag',
          'waiting_rows',
          'restarts',
          'error',
          'todo',
        ],
        host.stdout,
      ),
    )
  },
})
