import { AdminClient } from '@godwit/admin-client'
import { isSyncError } from '@godwit/protocol'
import { command } from './command.js'
import { loginOf, passwordOf, tokenIdOf } from './connect.js'
import { TokenFile } from './token-file.js'

export const login = command({
  summary: 'logs in to a server and stores the token for later commands',
  parameters: '[LOGIN]',
  details:
    "LOGIN is an API user; default GODWIT_LOGIN, else the admin. The token is stored for this address in the user's configuration\nfolder, in a file that no other user can read, until it expires or `godwit logout` revokes it.",
  examples: ['godwit login', 'godwit login robot --url https://sync.example.com'],
  async run({ words: [given], remote, host, url, print }) {
    const name = given ?? loginOf(remote, host)
    const file = new TokenFile(host.env)
    const former = file.find(url)
    const password = await passwordOf(remote, host, `Password of ${name} at ${url}: `)
    const { token, expires_at, role } = await new AdminClient({ url, token: '' }).system.login({
      login: name,
      password,
    })
    const id = await tokenIdOf(new AdminClient({ url, token }), name, expires_at)
    file.keep(url, { token, id: id ?? '', login: name, expires_at })
    if (former) await new AdminClient({ url, token: former.token }).system.revokeToken(former.id).catch(() => {})
    print(
      { url, login: name, role, expires_at, file: file.path },
      ({ file: path }) => `Logged in to ${url} as ${name} (${role}) until ${expires_at}. The token is in ${path}.\n`,
    )
  },
})

export const logout = command({
  summary: 'revokes the token that `godwit login` stored, and deletes it',
  details: 'If the server cannot be reached, the token is not deleted, because it would remain valid.',
  examples: ['godwit logout', 'godwit logout --url https://sync.example.com'],
  async run({ host, url, print }) {
    const file = new TokenFile(host.env)
    const kept = file.find(url)
    if (kept) {
      await new AdminClient({ url, token: kept.token }).system.revokeToken(kept.id).catch(error => {
        const isGone = isSyncError(error) && ['token_invalid', 'token_expired', 'token_not_found'].includes(error.code)
        if (!isGone) throw error
      })
    }
    file.forget(url)
    print({ url, revoked: kept !== undefined }, ({ revoked }) =>
      revoked ? `Logged out of ${url}.\n` : `Not logged in to ${url}.\n`,
    )
  },
})
