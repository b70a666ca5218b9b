import { createSyncServer } from '@godwit/server'
import { readSettings } from './config.js'
import { demoLine, firstStart } from './first-start.js'
import { openLog } from './log.js'
import { openStore } from './open-store.js'
import { configOf, limitsOf, OpenResources, type ProcessHost } from './start.js'

/** Initialises an emptied store; running servers continue by themselves. Returns false, and changes nothing, if the store has users. */
export async function beginStore(host: ProcessHost): Promise<boolean> {
  const settings = readSettings(host.env)
  const opened = new OpenResources()
  try {
    const store = opened.keep(await openStore(settings.store, settings))
    if ((await store.registry.count('user')) > 0) return false
    const config = await configOf(settings, opened)
    const first = await firstStart(store, settings, config)
    // No jobs here: the running servers process them.
    const limits = { ...limitsOf(settings, config), jobConcurrency: 0 }
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
