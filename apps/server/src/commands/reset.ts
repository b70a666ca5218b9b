import { ask, isAttended } from './ask.js'
import { command, UsageError } from './command.js'

export const reset = command({
  summary: 'empties the server: users, devices, documents and all objects go',
  options: { yes: { says: 'asks nobody' } },
  details: 'The admin stays. The server must allow it (SYNC_ALLOW_RESET). A backup first: godwit backup FILE.',
  examples: ['godwit reset', 'godwit reset --yes'],
  async run({ options: { yes }, host, url, admin, print }) {
    if (yes !== true && !isAttended(host))
      throw new UsageError('godwit reset: expected a terminal to confirm on, got none. Say --yes.')
    if (yes !== true && (await ask(host, `Everything at ${url} goes. Type reset if that is meant: `)) !== 'reset')
      throw new UsageError('Nothing was reset: expected the word reset, got another answer.')
    await (await admin()).system.reset()
    print({ reset: true }, () => 'The server was reset.\n')
  },
})
