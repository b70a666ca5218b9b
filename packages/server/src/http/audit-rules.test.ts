import { type RouteLine, routes } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { handlers } from './handlers.js'

/** Writes of backends and pings, which may come by the thousand. */
const UNAUDITED = [
  'plugin.pushObjects',
  'plugin.pushDeletes',
  'plugin.fastInsert',
  'plugin.fastUpdate',
  'plugin.fastDelete',
  'users.ping',
]

/** A read that shows a secret. */
const READ = 'system.readBackendSecret'

test('every route that changes something or shows a secret is audited, except for those listed by name', () => {
  const changing = Object.entries(routes).flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines)
      .filter(([, { method, roles }]) => method !== 'GET' && !roles.includes('device') && !roles.includes('open'))
      .map(([name]) => `${group}.${name}`),
  )
  const told = Object.entries(handlers).flatMap(([group, table]) =>
    Object.entries<object>(table).flatMap(([name, handler]) => ('audit' in handler ? [`${group}.${name}`] : [])),
  )
  const logins = ['device.login', 'system.login', 'system.signIn']
  expect([...told, ...UNAUDITED].sort()).toEqual([...changing, ...logins, READ].sort())
})
