import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SyncError } from '@godwit/protocol'
import type { LogStatus, SqlFeed } from '@godwit/sql'
import { readSettings } from '../config.js'
import type { Environment } from '../environment.js'
import { type CommandGroup, command, UsageError } from './command.js'
import { counted } from './view/counted.js'
import { bytes as bytesText } from './view/format.js'

const DRY_RUN = { 'dry-run': { says: 'prints the statements, and executes none' } } as const
const SOURCES = 'The tables are those of the sources in SYNC_CONFIG that `sqlSource` defines with a feed.'

const install = command({
  summary: 'creates the change log and the triggers of each table, also beside writers',
  local: true,
  options: DRY_RUN,
  details: [
    SOURCES,
    'What is there stays as it is, so it may be run again at any time. It needs the owner of the tables. While a transaction holds a table, it is',
    'named, and the command tries again for five minutes; writers wait for at most three seconds at a time.',
  ].join('\n'),
  examples: [
    'SYNC_CONFIG=godwit.config.mjs godwit sql install',
    'SYNC_CONFIG=godwit.config.mjs godwit sql install --dry-run',
  ],
  run: ({ host, options, print, printStatus }) =>
    eachFeed(host.env, async feed => {
      const dryRun = options['dry-run'] === true
      const { statements } = await feed.install({ dryRun, report: line => printStatus(`${line}\n`) })
      print({ feed: feed.name, statements }, () => (dryRun ? script(statements) : `${feed.name}: installed.\n`))
    }),
})

const status = command({
  summary: 'shows what is installed for each table, and which transactions block it',
  local: true,
  details: SOURCES,
  examples: ['SYNC_CONFIG=godwit.config.mjs godwit sql status'],
  async run({ host, print }) {
    let problems = 0
    await eachFeed(host.env, async feed => {
      const tables = await feed.status()
      problems += tables.filter(({ problem }) => problem !== undefined).length
      const log = tables.some(({ problem }) => problem?.includes('change log')) ? undefined : await feed.logStatus()
      print({ feed: feed.name, tables, log }, () =>
        tables
          .map(({ source, table, problem = 'installed', blockers }) =>
            [`${source}, table ${table}: ${problem}`, ...blockers.map(who => `  blocked by ${who}`), ''].join('\n'),
          )
          .join('')
          .concat(log === undefined ? '' : logText(log)),
      )
    })
    return problems > 0 ? 1 : 0
  },
})

const remove = command({
  summary: 'removes the change log and all of its triggers',
  local: true,
  options: DRY_RUN,
  details: 'The table `godwit_done`, with the keys of writes that were done, stays.',
  examples: ['SYNC_CONFIG=godwit.config.mjs godwit sql remove'],
  run: ({ host, options, print, printStatus }) =>
    eachFeed(host.env, async feed => {
      const dryRun = options['dry-run'] === true
      const { statements } = await feed.remove({ dryRun, report: line => printStatus(`${line}\n`) })
      print({ feed: feed.name, statements }, () => (dryRun ? script(statements) : `${feed.name}: removed.\n`))
    }),
})

const init = command({
  summary: 'writes a configuration and models from the tables of DATABASE_URL',
  parameters: '[FOLDER]',
  local: true,
  details:
    'It writes godwit.config.mjs and models.ts, to be edited, into FOLDER, else here. Files that exist are not replaced.',
  examples: ['DATABASE_URL=postgres://127.0.0.1/shop godwit sql init'],
  async run({ host, words: [folder = '.'], print }) {
    const [{ initFiles }, { connectDatabase }] = await Promise.all([
      import('@godwit/sql'),
      import('../connect-database.js'),
    ])
    const db = connectDatabase(host.env['DATABASE_URL'])
    try {
      const { config, models, notes } = await initFiles(db)
      const files = { 'godwit.config.mjs': config, 'models.ts': models }
      const present = Object.keys(files).filter(name => existsSync(join(folder, name)))
      if (present.length > 0)
        throw new UsageError(
          `godwit sql init: expected a folder without ${present.join(' and ')}, got ${folder}. Name another one.`,
        )
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      print({ files: Object.keys(files), notes }, () =>
        [...Object.keys(files).map(name => `wrote ${join(folder, name)}`), ...notes, ''].join('\n'),
      )
    } finally {
      await db.destroy()
    }
  },
})

/** Calls `work` with each feed of a database that the configuration has, and ends its connections. */
async function eachFeed(environment: Environment, work: (feed: SqlFeed<unknown>) => Promise<void>): Promise<void> {
  // A password of the admin, which production needs, is none of its business.
  const { configPath } = readSettings({ SYNC_CONFIG: environment['SYNC_CONFIG'] })
  const development = /^(development|test)?$/.test(environment['NODE_ENV'] ?? '')
  if (configPath === undefined)
    throw new UsageError('godwit sql: expected SYNC_CONFIG, got none. Name the configuration file.')
  const { loadConfig } = await import('../load-config.js')
  const { sources } = await loadConfig(configPath, { development })
  const feeds = [...new Set(sources.map(({ feed }) => feed))].filter(isSqlFeed)
  if (feeds.length === 0)
    throw new SyncError(
      'value_not_allowed',
      `${configPath}: expected a source of sqlSource with a feed of sqlFeed, got none.`,
    )
  try {
    for (const feed of feeds) await work(feed)
  } finally {
    for (const feed of feeds) await feed.close()
  }
}

function logText({ waiting, bytes, readers }: LogStatus): string {
  const size = bytes === undefined ? '' : `, ${bytesText(bytes)}`
  const lines = readers.map(({ name, behind }) => `reader ${name}: ${counted(behind, 'step')} behind`)
  return [`change log: ${counted(waiting, 'unread change')}${size}`, ...lines, ''].join('\n')
}

const isSqlFeed = (feed: unknown): feed is SqlFeed<unknown> =>
  typeof feed === 'object' && feed !== null && 'install' in feed && 'prove' in feed

const script = (statements: readonly string[]): string => statements.map(statement => `${statement};\n`).join('')

export const sql: CommandGroup = {
  summary: 'tables of a database as sources',
  commands: { init, install, status, remove },
}
