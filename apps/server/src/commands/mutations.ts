import type { RetryResult } from '@godwit/admin-client'
import { type CommandGroup, command } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { oneOf } from './one-of.js'
import { formatTable } from './view/columns.js'

const STATES = ['in_doubt', 'queued', 'started'] as const

const list = command({
  summary: 'lists changes of devices without an outcome; by default, those in doubt',
  options: {
    state: { takes: 'STATE', says: `one of ${STATES.join(', ')}` },
    after: { takes: 'ID', says: 'only changes after this one' },
    limit: { takes: 'N', says: 'maximum number to list; default 100' },
  },
  details:
    'In doubt: the backend was called but never responded, or the store was restored from a backup, so it is unknown whether the change was applied.',
  examples: ['godwit mutations list', 'godwit mutations list --state queued --json'],
  async run({ options: { state, after, limit }, admin, host, print }) {
    const page = {
      ...oneOf('state', state, STATES),
      ...(after !== undefined && { after }),
      ...wholeNumberOption('--limit', limit, 'limit'),
    }
    const found = await (await admin()).operations.undecided(page)
    print(found, rows =>
      formatTable(
        rows.map(row => ({ ...row, error: row.error?.message })),
        ['id', 'source', 'user', 'operation', 'object', 'attempts', 'error'],
        host.stdout,
      ),
    )
  },
})

const retry = command({
  summary: 'calls the source again for changes in doubt, with the same idempotency key, and shows the results',
  parameters: 'ID...',
  examples: ['godwit mutations retry eyJ…'],
  async run({ words, admin, host, print }) {
    const { operations } = await admin()
    const retried: (RetryResult & { readonly id: string })[] = []
    for (const id of words) retried.push({ id, ...(await operations.retry(id)) })
    print({ retried }, ({ retried: rows }) =>
      formatTable(
        rows.map(row => ({ ...row, error: row.error?.message })),
        ['id', 'status', 'link', 'error'],
        host.stdout,
      ),
    )
  },
})

const discard = command({
  summary: 'refuses changes in doubt and those that depend on them; devices roll them back',
  parameters: 'ID...',
  examples: ['godwit mutations discard eyJ…'],
  async run({ words, admin, print }) {
    const { operations } = await admin()
    for (const id of words) await operations.discard(id)
    print({ discarded: words }, () => '')
  },
})

export const mutations: CommandGroup = {
  summary: 'undecided changes of devices',
  commands: { list, retry, discard },
}
