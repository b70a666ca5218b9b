import { createSyncServer } from '@godwit/server'
import { readSettings } from './config.js'
import { firstStart } from './first-start.js'
import { openLog } from './log.js'
import { isShared, openStore } from './open-store.js'
import { configOf, type Host, OpenResources } from './start.js'

/** Makes in a store that came back empty what a server needs: servers that run go on by themselves. False: the store has users, and nothing was changed. */
export async function begin(host: Host): Promise<boolean> {
  const settings = readSettings(host.env)
  const opened = new OpenResources()
  try {
    const store = opened.keep(await openStore(settings.store, settings))
    if ((await store.registry.count('user')) > 0) return false
    const config = await configOf(settings, opened)
    const first = await firstStart(store, settings, config)
    // No jobs here: servers that run do them.
    const limits = { ...config.limits, jobConcurrency: 0 }
    const log = openLog(settings.logLevel, host.stderr)
    const server = createSyncServer({ store, jobs: store.jobs, ...config, ...first.options, limits, log })
    await server.begin()
    host.stderr.write(await first.shown())
    return true
  } finally {
    await opened.close()
  }
}

/** Whether servers that run can notice: a file or memory is their own. */
export const mayBeEmptied = (host: Host): boolean => isShared(readSettings(host.env).store)
