import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ADMIN, type AttackWorld, overStores } from './world.js'

overStores(openOver => {
  let world: AttackWorld
  beforeEach(async () => {
    // A high password cost, so that concurrent logins reach their limit.
    world = await openOver({ trustProxy: true, limits: { passwordCost: 4096 } })
  })
  afterEach(() => world.close())

  const logIn = async (path: string, login: object, address = '192.0.2.1'): Promise<number> => {
    const answer = await world.call('POST', path, { 'x-forwarded-for': address }, login)
    await answer.arrayBuffer()
    return answer.status
  }
  const APP = '/rc/v1/app/login'
  const API = '/rc/v1/system/login'

  test('a flood of successful logins of one user keeps neither other users nor the admin out', async () => {
    await world.caller('ada')
    await world.caller('grace')
    const ada = { login: 'ada', password: 'secret' }
    const flood = Array.from({ length: 300 }, () => logIn(APP, ada))
    const others = [logIn(APP, { login: 'grace', password: 'secret' }, '192.0.2.2'), logIn(API, ADMIN, '192.0.2.3')]
    expect(await Promise.all(others)).toEqual([200, 200])
    const statuses = await Promise.all(flood)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    // The limit is 60 a minute, and the flood may span two minutes.
    expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(120)
  })

  test('a flood of unknown logins from many addresses does not lock out the admin', async () => {
    await world.caller('ada')
    const flood = Array.from({ length: 600 }, (_, n) =>
      logIn(APP, { login: `nobody ${n}`, password: 'x' }, `10.1.${n >> 8}.${n & 255}`),
    )
    expect(await logIn(API, ADMIN, '192.0.2.3')).toBe(200)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 429]))
  })

  test('addresses of one network count together', async () => {
    const addresses = Array.from({ length: 40 }, (_, n) => `[2001:db8:1:2:${n}::${n}]:${1024 + n}`)
    const statuses: number[] = []
    for (const address of addresses) statuses.push(await logIn(API, { ...ADMIN, password: 'wrong' }, address))
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(10)
    expect(await logIn(API, ADMIN, '192.0.2.9')).toBe(200)
  })

  test('forwarded addresses before the entry of the trusted proxy are ignored', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 20; n++)
      statuses.push(await logIn(API, { ...ADMIN, password: 'wrong' }, `203.0.113.${n}, 192.0.2.77`))
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(10)
  })

  test('a body over 16 KiB on an open route is refused unread', async () => {
    const bodies = Array.from({ length: 50 }, () => logIn(APP, { login: 'a', password: 'x'.repeat(1024 * 1024) }))
    expect(new Set(await Promise.all(bodies))).toEqual(new Set([413]))
    expect(await world.serves()).toBe(true)
  })
})
