import { type CommandGroup, command } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { formatTable } from './view/columns.js'

const list = command({
  summary: 'lists changes to the server and who made them, newest first',
  options: {
    before: { takes: 'N', says: 'entries before this one' },
    limit: { takes: 'N', says: 'maximum number to list; default 100' },
  },
  examples: ['godwit audit list', 'godwit audit list --before 200 --limit 50 --json'],
  async run({ options: { before, limit }, admin, host, print }) {
    const page = { ...wholeNumberOption('--before', before, 'before'), ...wholeNumberOption('--limit', limit, 'limit') }
    const entries = await (await admin()).operations.audit(page)
    print(entries, rows =>
      formatTable(rows, ['number', 'time', 'login', 'role', 'action', 'result', 'address', 'about'], host.stdout),
    )
  },
})

const check = command({
  summary: 'checks that no entry was changed or removed; exit code 1 if one was',
  details:
    'Store the printed head somewhere else: later heads must continue from it. After a restore, the head is that of the backup.',
  examples: ['godwit audit check', 'godwit audit check --json >> /elsewhere/heads'],
  async run({ admin, print }) {
    const found = await (await admin()).operations.checkAudit()
    print(found, ({ intact, checked, head, broken }) => {
      const fits = `${checked} entries are intact${head === null ? '' : `, the newest is ${head.number} ${head.hash}`}\n`
      return intact ? fits : `${fits}BROKEN: entry ${broken?.number} is ${broken?.why}\n`
    })
    return found.intact ? 0 : 1
  },
})

export const audit: CommandGroup = { summary: 'the record of who changed what', commands: { list, check } }
