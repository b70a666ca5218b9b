import { AdminClient } from '@godwit/admin-client'
import { type CommandGroup, command } from './command.js'
import { loginOf, passwordOf } from './connect.js'
import { formatTable } from './view/columns.js'

const create = command({
  summary: 'logs in and prints only a new API token to standard output',
  parameters: '[LOGIN]',
  details:
    'LOGIN is an API user; default GODWIT_LOGIN, else the admin. The token is shown only once; the server stores its hash.',
  examples: ['godwit token create', 'export GODWIT_TOKEN=$(GODWIT_PASSWORD=… godwit token create robot)'],
  async run({ words: [given], remote, host, url, print }) {
    const login = given ?? loginOf(remote, host)
    const password = await passwordOf(remote, host, `Password of ${login} at ${url}: `)
    const made = await new AdminClient({ url, token: '' }).system.login({ login, password })
    print(made, ({ token }) => `${token}\n`)
  },
})

const list = command({
  summary: 'lists your API tokens; for an admin, those of all users',
  options: { login: { takes: 'LOGIN', says: 'only tokens of this user' } },
  examples: ['godwit token list', 'godwit token list --login robot --json'],
  async run({ options: { login }, admin, host, print }) {
    const tokens = await (await admin()).system.tokens(login === undefined ? {} : { login })
    print(tokens, rows =>
      formatTable(rows, ['id', 'login', 'role', 'created_at', 'expires_at', 'last_used'], host.stdout),
    )
  },
})

const revoke = command({
  summary: 'revokes API tokens immediately, on every process',
  parameters: 'ID...',
  details: 'ID is from `godwit token list`, never the token itself.',
  examples: ['godwit token revoke uXk3Jx0aQ1bWn8sT'],
  async run({ words, admin, print }) {
    const { system } = await admin()
    for (const id of words) await system.revokeToken(id)
    print({ revoked: words }, () => '')
  },
})

export const token: CommandGroup = { summary: 'API tokens', commands: { create, list, revoke } }
