import { basename } from 'node:path'
import { storeFileText } from './backup.js'
import { command } from './command.js'
import { storeFile } from './store-file.js'

export const restore = command({
  summary: 'replaces the store with a backup; the server must be stopped',
  parameters: 'FILE',
  local: true,
  details: [
    'The store is the one in SYNC_STORE; the previous file is kept beside it. Every collection gets a new epoch: devices notice this,',
    'load everything again, and resend changes without an outcome. Changes that are undecided in the backup may have been applied since: they are called again only',
    'if the source is idempotent, and are otherwise in doubt (godwit mutations). Backends must repeat pushes made after the backup. Users, tokens and passwords are',
    'those of the backup: repeat later revocations. The audit log is that of the backup, with an entry for the restore.',
  ].join('\n'),
  examples: ['godwit restore /backup/godwit-monday.sqlite'],
  async run({ words: [file = ''], host, signal, print, printStatus }) {
    const { restoreSqliteStore } = await import('@godwit/store-sqlite')
    const { recordRestore } = await import('@godwit/server')
    const path = storeFile(host.env, 'restore')
    const onProgress = (copied: number, total: number): void => printStatus(`\r${Math.round((100 * copied) / total)} %`)
    const restored = await restoreSqliteStore(file, path, {
      onProgress,
      signal,
      complete: (store, { audit }) => recordRestore(store, { backup: basename(file), former: audit, at: Date.now() }),
    })
    printStatus('\r')
    const formerly =
      restored.former === undefined
        ? ''
        : `The previous store is ${restored.former}. Delete it when you no longer need it.\n`
    print(restored, integrity => `${storeFileText(integrity)}${formerly}`)
  },
})
