import { ask, isAttended } from './ask.js'
import { command, UsageError } from './command.js'

export const reset = command({
  summary: 'deletes all users, devices, documents and objects of the server',
  options: { yes: { says: 'do not ask for confirmation' } },
  details: 'The admin is kept. The server must allow it (SYNC_ALLOW_RESET). Make a backup first: godwit backup FILE.',
  examples: ['godwit reset', 'godwit reset --yes'],
  async run({ options: { yes }, host, url, admin, print }) {
    if (yes !== true && !isAttended(host))
      throw new UsageError('godwit reset: expected a terminal for the confirmation, got none. Pass --yes.')
    if (yes !== true && (await ask(host, `Everything on ${url} will be deleted. Type reset to confirm: `)) !== 'reset')
      throw new UsageError('Nothing was reset: expected the word reset, got another answer.')
    await (await admin()).system.reset()
    print({ reset: true }, () => 'The server was reset.\n')
  },
})
