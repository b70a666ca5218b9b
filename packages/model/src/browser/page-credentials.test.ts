import { expect, test } from '@jest/globals'
import type { DeviceStatus } from '../remote/protocol.js'
import type { RemoteEvent } from '../remote/remote-device.js'
import { pageCredentials } from './page-credentials.js'

function open(tokens: (string | undefined)[]) {
  const logins: unknown[][] = []
  const listeners: (() => void)[] = []
  let status: Pick<DeviceStatus, 'signIn' | 'role' | 'connected'> = {
    signIn: 'signed_in',
    role: 'owner',
    connected: true,
  }
  let emit = (_event: RemoteEvent<unknown>): void => {}
  const device = {
    login: async (...given: unknown[]) => void logins.push(given),
    status: { current: () => status, subscribe: (listener: () => void) => void listeners.push(listener) },
    async *events() {
      for (;;) yield await new Promise<RemoteEvent<unknown>>(resolve => (emit = resolve))
    },
  }
  const login = pageCredentials(device as never, () => tokens.shift())
  return {
    logins,
    login,
    async tell(change: Partial<typeof status>) {
      status = { ...status, ...change }
      for (const listener of listeners) listener()
      await new Promise(setImmediate)
    },
    async ask() {
      emit({ kind: 'credentials' })
      await new Promise(setImmediate)
    },
  }
}

test('login without a password asks the page for a token', async () => {
  const { login, logins } = open(['a', undefined])
  await login({ discard: true })
  await login('ada', 'secret')
  await login({ token: 'given' })
  expect(logins).toEqual([[{ discard: true, token: 'a' }], ['ada', 'secret'], [{ token: 'given' }]])
  await expect(login()).rejects.toMatchObject({ code: 'logged_out' })
})

test('the owner renews the session when it ends soon or has ended, and not after a logout', async () => {
  const { logins, tell, ask } = open(['a', 'b', 'c'])
  await ask()
  await tell({ signIn: 'signed_out' })
  await tell({ signIn: 'signed_out' })
  await tell({ signIn: 'logged_out' })
  await tell({ signIn: 'signed_out', role: 'guest' })
  expect(logins).toEqual([[{ token: 'a', renew: true }], [{ token: 'b', renew: true }]])
})

test('a token is not sent twice', async () => {
  const { logins, ask } = open(['a', 'a', 'a'])
  await ask()
  await ask()
  expect(logins).toHaveLength(1)
})
