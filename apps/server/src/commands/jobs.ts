import { command } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { oneOf } from './one-of.js'
import { formatTable } from './view/columns.js'

const STATES = ['waiting', 'running', 'dead'] as const

export const jobs = command({
  summary: 'lists background jobs that are waiting, running or dead',
  options: {
    state: { takes: 'STATE', says: `one of ${STATES.join(', ')}` },
    queue: { takes: 'QUEUE', says: 'only jobs of this queue' },
    after: { takes: 'ID', says: 'only jobs after this one' },
    limit: { takes: 'N', says: 'maximum number to list; default 100' },
  },
  examples: ['godwit jobs', 'godwit jobs --state dead --json'],
  async run({ options: { state, queue, after, limit }, admin, host, print }) {
    const found = await (await admin()).system.jobs({
      ...oneOf('state', state, STATES),
      ...(queue !== undefined && { queue }),
      ...(after !== undefined && { after }),
      ...wholeNumberOption('--limit', limit, 'limit'),
    })
    print(found, rows =>
      formatTable(
        rows,
        ['id', 'queue', 'kind', 'state', 'source', 'partition', 'attempts', 'due_at', 'reason'],
        host.stdout,
      ),
    )
  },
})
