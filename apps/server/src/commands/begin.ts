import { createSyncServer } from '@godwit/server'
import { readSettings } from '../config.js'
import { demoLine, firstStart } from '../first-start.js'
import { openLog } from '../log.js'
import { isShared, openStore } from '../open-store.js'
import { configOf, OpenResources, type ProcessHost } from '../start.js'
import { command, UsageError } from './command.js'

export const begin = command({
  summary: 'sets up a Redis that came back empty; running servers continue by themselves',
  local: true,
  details: [
    'Makes the admin and, in development, the demo users in the store that SYNC_STORE names, with the configuration of the server. A store that has',
    'users is left as it is. First think of restoring it: its append-only file or a snapshot bring back what was there.',
  ].join('\n'),
  examples: ['SYNC_STORE=redis://127.0.0.1 SYNC_ADMIN_PASSWORD=… godwit begin'],
  async run({ host, print }) {
    if (!mayBeEmptied(host))
      throw new UsageError(
        'godwit begin: expected a redis: store in SYNC_STORE, got another. Others begin when their server starts.',
      )
    const begun = await beginStore(host)
    print({ begun }, () =>
      begun ? 'The store is set up again.\n' : 'The store has users, so it is not empty: nothing was changed.\n',
    )
  },
})

/** Initialises an emptied store; running servers continue by themselves. Returns false, and changes nothing, if the store has users. */
async function beginStore(host: ProcessHost): Promise<boolean> {
  const settings = readSettings(host.env)
  const opened = new OpenResources()
  try {
    const store = opened.keep(await openStore(settings.store, settings))
    if ((await store.registry.count('user')) > 0) return false
    const config = await configOf(settings, opened)
    const first = await firstStart(store, settings, config)
    // No jobs here: the running servers process them.
    const limits = { ...config.limits, jobConcurrency: 0 }
    const log = openLog(settings.logLevel, host.stderr)
    const server = createSyncServer({ store, jobs: store.jobs, ...config, ...first.options, limits, log })
    host.stderr.write(first.password)
    await server.begin()
    if (settings.development) host.stderr.write(demoLine(await first.demoLogins()))
    return true
  } finally {
    await opened.close()
  }
}

/** True if running servers share the store, which a file or memory store does not allow. */
const mayBeEmptied = (host: ProcessHost): boolean => isShared(readSettings(host.env).store)
