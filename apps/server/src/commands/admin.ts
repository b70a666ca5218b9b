import { existsSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import { flawOfPassword } from '../admin-password.js'
import { readSettings } from '../config.js'
import { isShared, sqlitePath, storeAddress } from '../store-address.js'
import { askNewPassword } from './ask.js'
import { type CommandGroup, command, UsageError } from './command.js'

const password = command({
  summary: 'sets a new password for an admin who lost it, directly in the store',
  parameters: '[LOGIN]',
  local: true,
  options: { 'password-stdin': { says: 'the password is the first line of standard input' } },
  details: [
    'Run it on the machine of the server, as its user. The store is the one in SYNC_STORE, and the server may be running. No token is needed.',
    'LOGIN defaults to SYNC_ADMIN_LOGIN, then to admin. A locked admin is unlocked, and all of its sessions and tokens end. The audit log records it.',
  ].join('\n'),
  examples: ['godwit admin password', 'openssl rand -hex 16 | tee /dev/tty | godwit admin password --password-stdin'],
  async run({ words: [given], options, host, print }) {
    const { env } = host
    const address = existingStore(storeAddress(env))
    const login = given ?? env['SYNC_ADMIN_LOGIN'] ?? 'admin'
    const password = await askNewPassword(host, { fromInput: options['password-stdin'] === true })
    const flaw = flawOfPassword(password, login)
    if (flaw !== undefined) throw new UsageError(weakness(flaw))
    const { recoverAdmin } = await import('@godwit/server')
    const { openStore } = await import('../open-store.js')
    const { replicas } = readSettings({ SYNC_REDIS_REPLICAS: env['SYNC_REDIS_REPLICAS'] })
    const store = await openStore(address, { replicas })
    try {
      await recoverAdmin(store, { login, password, at: Date.now() })
    } finally {
      await store.close()
    }
    print({ login }, () => `The password of ${login} is set. Its sessions and tokens have ended.\n`)
  },
})

/** `flaw`: what was expected of the password. */
const weakness = (flaw: string): string => `The password is too weak: expected ${flaw}.`

/** Returns the address if its store exists. Throws otherwise, since only a server creates a store with its first admin. */
function existingStore(address: string): string {
  const path = sqlitePath(address)
  if (isShared(address) || (path !== undefined && existsSync(path))) return address
  const got = path === undefined ? 'one in memory' : `${path}, which does not exist`
  throw new SyncError(
    'value_not_allowed',
    `SYNC_STORE: expected the store of a server, got ${got}. Run the command in the server's folder, or set SYNC_STORE as the server has it.`,
  )
}

export const admin: CommandGroup = {
  summary: 'recovers an admin account with a lost password',
  commands: { password },
}
