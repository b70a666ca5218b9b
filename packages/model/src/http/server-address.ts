import { SyncError } from '@godwit/protocol'

/** Checks a server's URL: `http` or `https`, without credentials, query or fragment. Throws `value_not_allowed`. */
export function checkServer(server: unknown): void {
  const url = typeof server === 'string' && URL.canParse(server) ? new URL(server) : undefined
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url && isWeb && url.username === '' && url.password === '' && url.search === '' && url.hash === '') return
  const got = typeof server === 'string' ? JSON.stringify(withoutLogin(server)) : typeof server
  throw new SyncError(
    'value_not_allowed',
    `server: expected the address of the sync server, as https://sync.example.com or http://127.0.0.1:8675, got ${got}.`,
  )
}

/** Removes credentials, because messages are logged. */
const withoutLogin = (text: string): string => text.replace(/\/\/[^/@]*@/, '//…@').slice(0, 200)

/** The error of a call that needs a server, on a device without one. */
export const noServer = (): SyncError =>
  new SyncError(
    'value_not_allowed',
    'This device was opened without a server. Open it again with the option `server`, the address of the sync server.',
  )
