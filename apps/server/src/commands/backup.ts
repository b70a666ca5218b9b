import type { StoreFile } from '@godwit/store-sqlite'
import { command } from './command.js'
import { storeFile } from './store-file.js'
import { counted } from './view/counted.js'
import { bytes } from './view/format.js'

export const backup = command({
  summary: 'copies the store to a file, even while the server is running',
  parameters: 'FILE',
  local: true,
  options: { force: { says: 'overwrite FILE once the copy is complete and checked' } },
  details: [
    'The store is the one in SYNC_STORE. The copy is a consistent snapshot, and is checked before it',
    'gets its name. It contains hashes of passwords and tokens: store it where no other user can read it. It does not contain files of backends.',
  ].join('\n'),
  examples: [
    'godwit backup /backup/godwit-monday.sqlite',
    'SYNC_STORE=sqlite:/var/lib/godwit/store.sqlite godwit backup --force latest.sqlite',
  ],
  async run({ words: [file = ''], options: { force = false }, host, signal, print, printStatus }) {
    const { backUpSqliteStore } = await import('@godwit/store-sqlite')
    const path = storeFile(host.env, 'back up')
    const onProgress = (copied: number, total: number): void => printStatus(`\r${Math.round((100 * copied) / total)} %`)
    const integrity = await backUpSqliteStore(path, file, { overwrite: force, onProgress, signal }).catch(error => {
      throw withForceHint(error)
    })
    printStatus('\r')
    print(integrity, storeFileText)
  },
})

export const storeFileText = ({ path, bytes: size, objects, collections, users, undecided }: StoreFile): string =>
  `${path}: ${bytes(size)}, ${counted(objects, 'object')} in ${counted(collections, 'collection')}, ${counted(users, 'user')}, ${counted(undecided, 'undecided change')}; checked\n`

const withForceHint = (error: Error): Error => {
  if (error.message.endsWith('already.')) error.message += ' Choose another file, or pass --force.'
  return error
}
