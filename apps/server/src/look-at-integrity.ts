import type { Log } from '@godwit/server'
import { messageOf } from './commands/doctor/check-result.js'
import type { OpenStore } from './open-store.js'

/** Looks behind the start whether the store is whole, and says in the log what it found. Only SQLite can tell. */
export async function lookAtIntegrity({ checkIntegrity }: Pick<OpenStore, 'checkIntegrity'>, log: Log): Promise<void> {
  try {
    const found = await checkIntegrity?.()
    if (found === undefined) return
    const { intact, problems, milliseconds } = found
    if (intact) log.info({ milliseconds }, 'the store was looked through and is whole')
    else
      log.error(
        { problems, milliseconds },
        'the store is damaged: stop the server, keep the file, and restore a backup (godwit restore)',
      )
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'whether the store is whole could not be told')
  }
}
