import { readSettings } from '../config.js'
import type { ProcessHost } from '../start.js'
import { isShared } from '../store-address.js'
import { command, UsageError } from './command.js'

export const begin = command({
  summary: 'sets up a Redis that came back empty; running servers continue by themselves',
  local: true,
  details: [
    'Makes the admin and, in development, the demo users in the store that SYNC_STORE names, with the configuration of the server. A store that has',
    'users is left as it is. First think of restoring it: its append-only file or a snapshot bring back what was there.',
  ].join('\n'),
  examples: ['SYNC_STORE=redis://127.0.0.1 SYNC_ADMIN_PASSWORD=… godwit begin'],
  async run({ host, print }) {
    if (!mayBeEmptied(host))
      throw new UsageError(
        'godwit begin: expected a redis: store in SYNC_STORE, got another. Others begin when their server starts.',
      )
    const { beginStore } = await import('../begin-store.js')
    const begun = await beginStore(host)
    print({ begun }, () =>
      begun ? 'The store is set up again.\n' : 'The store has users, so it is not empty: nothing was changed.\n',
    )
  },
})

/** True if running servers share the store, which a file or memory store does not allow. */
const mayBeEmptied = (host: ProcessHost): boolean => isShared(readSettings(host.env).store)
