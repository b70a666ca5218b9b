import { basename } from 'node:path'
import { storeFileText } from './backup.js'
import { command } from './command.js'
import { storeFile } from './store-file.js'

export const restore = command({
  summary: 'replaces the store with a backup; the server must be stopped',
  parameters: 'FILE',
  local: true,
  details: [
    'The store is the one that SYNC_STORE names; the file that was there is kept beside it. Every collection gets a new epoch: devices notice,',
    'load everything again and send again what has no outcome. What was undecided in the backup may have been done since: it is called again only',
    'where the source is idempotent, else it is in doubt (godwit mutations). What backends pushed after the backup they push again. Users, tokens and passwords are',
    'those of the backup: revoke again what was revoked since. The audit is that of the backup, with an entry that tells of the restore.',
  ].join('\n'),
  examples: ['godwit restore /backup/godwit-monday.sqlite'],
  async run({ words: [file = ''], host, signal, print, note }) {
    const { restoreSqliteStore } = await import('@godwit/store-sqlite')
    const { recordRestore } = await import('@godwit/server')
    const path = storeFile(host.env, 'restore')
    const onProgress = (copied: number, total: number): void => note(`\r${Math.round((100 * copied) / total)} %`)
    const restored = await restoreSqliteStore(file, path, {
      onProgress,
      signal,
      complete: (store, { audit }) => recordRestore(store, { backup: basename(file), former: audit, at: Date.now() }),
    })
    note('\r')
    const formerly =
      restored.former === undefined ? '' : `The former store is ${restored.former}; remove it when it is not needed.\n`
    print(restored, held => `${storeFileText(held)}${formerly}`)
  },
})
