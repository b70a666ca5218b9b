import { type CommandGroup, command } from './command.js'

const secret = command({
  summary: 'shows the secret that the HTTP backend shares with the server',
  details:
    'The server made it for its store, and signs every call of the backend with it: give it to the backend. Only an admin may see it, and the audit says who did. A secret of the configuration is used instead, and is not shown.',
  examples: ['godwit backend secret', 'export BACKEND_SECRET=$(godwit backend secret)'],
  async run({ admin, print }) {
    const found = await (await admin()).system.readBackendSecret()
    print(found, ({ secret }) => `${secret ?? 'the configuration has it'}\n`)
  },
})

export const backend: CommandGroup = { summary: 'the secret of the HTTP backend', commands: { secret } }
