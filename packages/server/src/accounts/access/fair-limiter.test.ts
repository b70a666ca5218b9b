import { expect, test } from '@jest/globals'
import { type Claimant, FairLimiter } from './fair-limiter.js'

const later = () => new Promise<void>(resolve => setImmediate(resolve))

/** A limiter with one slot, which records the order of its tasks. */
function scene(waiting = { all: 6, address: 4, login: 2 }) {
  const places = new FairLimiter({ running: 1, waiting })
  const ran: string[] = []
  const ask = ({ address, login }: Claimant): Promise<string> =>
    places
      .run({ address, login }, async () => {
        await later()
        ran.push(`${address} ${login}`)
        return 'ran'
      })
      .catch((error: { code: string }) => error.code)
  const askAll = (...claims: readonly string[]) =>
    Promise.all(claims.map(claim => ask({ address: claim[0] ?? '', login: claim[1] ?? '' })))
  return { places, ran, askAll }
}

test('addresses take turns, and so do the logins of one address', async () => {
  const { askAll, ran, places } = scene()
  expect(await askAll('a1', 'a1', 'a1', 'a2', 'b1')).toEqual(Array(5).fill('ran'))
  expect(ran).toEqual(['a 1', 'a 1', 'b 1', 'a 2', 'a 1'])
  expect(places.waiting).toBe(0)
})

test('a login and an address have a bounded number of waiting places', async () => {
  const { askAll } = scene()
  expect(await askAll('a1', 'a1', 'a1', 'a1')).toEqual(['ran', 'ran', 'ran', 'too_many_attempts'])
  expect(await askAll('a1', 'a1', 'a2', 'a3', 'a4', 'a5')).toEqual([...Array(5).fill('ran'), 'too_many_attempts'])
})

test('when the queue is full, the last of the longest line is dropped', async () => {
  const { askAll, ran, places } = scene()
  const said = await askAll('a0', 'a1', 'a2', 'a3', 'a3', 'b1', 'c1', 'd1')
  expect(said).toEqual(['ran', 'ran', 'ran', 'ran', 'too_many_attempts', 'ran', 'ran', 'ran'])
  expect(ran).toEqual(['a 0', 'a 1', 'b 1', 'c 1', 'd 1', 'a 2', 'a 3'])
  expect(places.waiting).toBe(0)
})

test('lines of one entry each are not dropped', async () => {
  const { askAll } = scene({ all: 2, address: 2, login: 2 })
  expect(await askAll('a0', 'b1', 'c1', 'd1')).toEqual(['ran', 'ran', 'ran', 'too_many_attempts'])
})

test('work that fails passes its place on', async () => {
  const places = new FairLimiter({ running: 1, waiting: { all: 1, address: 1, login: 1 } })
  const failing = places.run({ address: 'a', login: 'x' }, async () => {
    await later()
    throw new Error('it failed')
  })
  const next = places.run({ address: 'a', login: 'y' }, async () => 'ran')
  await expect(failing).rejects.toThrow('it failed')
  expect(await next).toBe('ran')
})
