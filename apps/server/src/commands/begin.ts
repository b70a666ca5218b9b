import { readSettings } from '../config.js'
import type { ProcessHost } from '../start.js'
import { isShared } from '../store-address.js'
import { command, UsageError } from './command.js'

export const begin = command({
  summary: 'prepares a Redis that lost its data; running servers then continue',
  local: true,
  details: [
    'Creates the admin and, in development, the demo users in the store in SYNC_STORE, with the configuration of the server. A store that has',
    'users is not changed. Consider restoring the data first, from the append-only file or a snapshot.',
  ].join('\n'),
  examples: ['SYNC_STORE=redis://127.0.0.1 SYNC_ADMIN_PASSWORD=… godwit begin'],
  async run({ host, print }) {
    if (!mayBeEmptied(host))
      throw new UsageError(
        'godwit begin: expected a redis: store in SYNC_STORE, got another one. Other stores are set up when their server starts.',
      )
    const { beginStore } = await import('../begin-store.js')
    const begun = await beginStore(host)
    print({ begun }, () =>
      begun ? 'The store is set up again.\n' : 'The store is not empty: it has users. Nothing was changed.\n',
    )
  },
})

/** True if running servers share the store, which a file or memory store does not allow. */
const mayBeEmptied = (host: ProcessHost): boolean => isShared(readSettings(host.env).store)
