import { type CommandGroup, command } from './command.js'

const secret = command({
  summary: 'shows the secret that the HTTP backend shares with the server',
  details:
    'The server generated it for its store and signs every call to the backend with it: give it to the backend. Only an admin may see it, and the audit log records who did. If the configuration has a secret, that one is used and is not shown.',
  examples: ['godwit backend secret', 'export BACKEND_SECRET=$(godwit backend secret)'],
  async run({ admin, print }) {
    const found = await (await admin()).system.readBackendSecret()
    print(found, ({ secret }) => `${secret ?? 'set in the configuration'}\n`)
  },
})

export const backend: CommandGroup = { summary: 'the secret of the HTTP backend', commands: { secret } }
