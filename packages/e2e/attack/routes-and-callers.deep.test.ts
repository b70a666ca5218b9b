import { CLIENT_ID_HEADER, mayCall, type RouteLine, routes } from '@godwit/protocol'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type AttackCaller, type AttackWorld, CALLERS, overStores, refusalOf } from './world.js'

overStores(openOver => {
  const table = Object.entries(routes).flatMap(([group, lines]) =>
    Object.entries<RouteLine>(lines).map(([name, line]) => [`${group}.${name}`, line] as const),
  )

  let world: AttackWorld
  beforeAll(async () => {
    // Failed logins are counted per login and address, and all callers share one address.
    world = await openOver({ resetAllowed: false })
    for (const name of CALLERS) await world.caller(name)
  })
  afterAll(() => world.close())

  const pathOf = ({ path }: RouteLine, client: string): string =>
    path
      .replace('<client_id>', client)
      .replace(/<source_\w+>/, 'Note')
      .replace('<user_id>', 'nobody-there')
      .replace(/<[^>]+>/g, 'md')

  /** Returns the response's status and error code; aborts streams immediately. */
  async function outcomeOf({ headers }: AttackCaller, line: RouteLine, client: string): Promise<string> {
    const gone = new AbortController()
    const answer = await world.ask(pathOf(line, client), {
      method: line.method,
      headers: { ...headers, ...(line.method !== 'GET' && { 'content-type': 'application/json' }) },
      ...(line.method !== 'GET' && { body: '{}' }),
      signal: gone.signal,
    })
    const refused = answer.ok ? String(answer.status) : await refusalOf(answer)
    gone.abort()
    return refused
  }

  /** Routes that would revoke the credentials of later cases. */
  const ENDS: ReadonlySet<string> = new Set(['device.logout', 'system.signOut'])

  test.each(table)('%s admits the roles that it names, and tells other callers why not', async (name, line) => {
    const grace = await world.caller('grace')
    for (const caller of await Promise.all(CALLERS.map(one => world.caller(one)))) {
      const isDeviceRoute = line.roles.includes('device')
      const isLetIn =
        line.roles.includes('open') || (isDeviceRoute ? caller.role === 'device' : mayCall(caller.role, line.roles))
      if (isLetIn && ENDS.has(name)) continue
      const outcome = await outcomeOf(caller, line, grace.client ?? '')
      const status = Number(outcome.slice(0, 3))
      expect([name, caller.name, status < 500]).toEqual([name, caller.name, true])
      if (!isLetIn) expect([401, 403]).toContain(status)
      else if (caller.name !== 'ada')
        expect([name, caller.name, outcome]).not.toEqual([name, caller.name, '401 token_missing'])
      if (isLetIn && caller.name === 'ada' && line.path.includes('<client_id>') && isDeviceRoute)
        expect(outcome).toBe('403 not_your_client')
    }
    expect(await world.serves()).toBe(true)
  })

  test.each(table.filter(([, line]) => line.client))('%s refuses the client of another user', async (_, line) => {
    const [ada, grace] = await Promise.all([world.caller('ada'), world.caller('grace')])
    const posing = { ...ada, headers: { ...ada.headers, [CLIENT_ID_HEADER]: grace.client ?? '' } }
    expect(await outcomeOf(posing, line, grace.client ?? '')).toBe('403 not_your_client')
    for (const id of ['none', '__proto__', '*', '%00', 'x'.repeat(4000)]) {
      const lost = { ...ada, headers: { ...ada.headers, [CLIENT_ID_HEADER]: id } }
      expect(await outcomeOf(lost, line, id)).toMatch(/^(404 client_not_found|4\d\d)/)
    }
  })

  test('a session is no token, nor a token a session', async () => {
    const [ada, admin] = await Promise.all([world.caller('ada'), world.caller('admin')])
    const secret = String(ada.headers['authorization']).slice('Bearer '.length)
    const token = Object.values(admin.headers)[0] ?? ''
    expect(await refusalOf(await world.call('GET', '/rc/v1/users', { 'x-sync-api-token': secret }))).toBe(
      '401 token_invalid',
    )
    expect(await refusalOf(await world.call('POST', '/rc/v1/clients', { authorization: `Bearer ${token}` }))).toBe(
      '401 session_missing',
    )
  })
})
