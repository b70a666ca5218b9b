import type { SourceChange } from '@godwit/admin-client'
import { assignments } from './assignments.js'
import { type CommandGroup, command, UsageError } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { formatMembers, formatTable } from './view/columns.js'

const TYPES = ['app', 'user'] as const

const list = command({
  summary: 'lists sources with their settings',
  parameters: '[app|user]',
  examples: ['godwit sources list', 'godwit sources list app --json'],
  async run({ words: [type], admin, host, print }) {
    const types = TYPES.filter(one => type === undefined || one === type)
    if (types.length === 0) throw new UsageError(`godwit sources list: expected app or user, got ${type}.`)
    const { sources } = await admin()
    const names = (await Promise.all(types.map(one => sources.list(one)))).flat()
    const found = await Promise.all(names.map(name => sources.get(name)))
    print(found, rows =>
      formatTable(
        rows,
        ['name', 'partition_type', 'poll_interval', 'sync_type', 'sync_priority', 'retry_limit', 'queue'],
        host.stdout,
      ),
    )
  },
})

const show = command({
  summary: 'shows the settings of a source',
  parameters: 'SOURCE',
  examples: ['godwit sources show City'],
  async run({ words: [source = ''], admin, print }) {
    print(await (await admin()).sources.get(source), formatMembers)
  },
})

const set = command({
  summary: 'changes settings of a source for all users, until a reset',
  parameters: 'SOURCE NAME=VALUE...',
  options: {
    user: { takes: 'LOGIN', says: 'checked; the settings are those of all users, and no partition becomes due' },
  },
  details:
    'Settings: poll_interval, sync_type, queue, query_queue, cud_queue, sync_priority, retry_limit, push_notify. null unsets a queue.',
  examples: ['godwit sources set City poll_interval=3600', 'godwit sources set Visit retry_limit=2 query_queue=slow'],
  async run({ words: [source = '', ...texts], options: { user }, admin, print }) {
    const { sources } = await admin()
    const change = assignments('godwit sources set', texts) as SourceChange
    await sources.update(source, change, user === undefined ? {} : { user })
    print(await sources.get(source), formatMembers)
  },
})

const refresh = command({
  summary: 'queries the source, now or after a delay',
  parameters: 'SOURCE [USER]',
  options: {
    in: { takes: 'SECONDS', says: 'seconds after which the next pull runs the query; by default it runs immediately' },
  },
  details: 'USER is the login that owns the partition; an app source has one partition for all and needs none.',
  examples: ['godwit sources refresh City', 'godwit sources refresh Visit ada --in 600'],
  async run({ words: [source = '', user = '*'], options, admin, print }) {
    const { readState } = await admin()
    if (options.in === undefined) return print(await readState.refresh(user, source), formatMembers)
    await readState.set(user, source, wholeNumberOption('--in', options.in, 'refreshTime'))
    print({ source, user }, () => '')
  },
})

const accept = command({
  summary: 'lists or applies removals that are held back',
  parameters: '[SOURCE] [USER]',
  details: [
    'If a query would remove too many objects (maxRemovedShare), its removals are held back. Without SOURCE, the partitions with such removals are',
    'listed. With SOURCE, the source is queried immediately, and the removals are applied if the query would still remove nearly the same objects. USER is the',
    'login that owns the partition; an app source has one partition for all and needs none.',
  ].join('\n'),
  examples: ['godwit sources accept', 'godwit sources accept City', 'godwit sources accept Visit ada'],
  async run({ words: [source, user], host, admin, print }) {
    const { sources, system } = await admin()
    if (source !== undefined) return print(await sources.acceptRemovals(source, user), formatMembers)
    print((await system.state()).pending_removals, rows =>
      formatTable(rows, ['source', 'partition', 'count', 'since', 'confirm_at', 'accepted'], host.stdout),
    )
  },
})

const backend = command({
  summary: 'shows or sets the address of the HTTP backend',
  parameters: '[URL]',
  options: { clear: { says: 'remove the address' } },
  examples: [
    'godwit sources backend',
    'godwit sources backend https://erp.example/godwit',
    'godwit sources backend --clear',
  ],
  async run({ words: [url], options: { clear }, admin, print }) {
    if (clear && url !== undefined) throw new UsageError('godwit sources backend takes URL or --clear, not both.')
    const { system } = await admin()
    if (clear || url !== undefined) await system.writeAppServer(url ?? null)
    print(await system.readAppServer(), ({ adapter_url }) => `${adapter_url ?? 'none'}\n`)
  },
})

export const sources: CommandGroup = {
  summary: 'sources, their settings and their backend',
  commands: { list, show, set, refresh, accept, backend },
}
