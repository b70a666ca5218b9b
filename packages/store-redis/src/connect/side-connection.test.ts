import { expect, test } from '@jest/globals'
import { SideConnection } from './side-connection.js'

const client = (connect: () => Promise<void>) => ({ connect, destroy: () => undefined, on: () => undefined })
const itself = async <One>(one: One) => one
const never = () => new Promise<never>(() => {})

test('a silent server times out, and the next attempt opens another connection', async () => {
  const made = [client(never), client(async () => undefined)]
  const apart = new SideConnection(() => made.shift() ?? client(never))
  const [, answering] = made
  const waiting = [apart.use(itself), apart.use(itself)]
  for (const one of waiting) await expect(one).rejects.toThrow('did not respond')
  expect(await apart.use(itself)).toBe(answering)
  expect(await apart.use(itself)).toBe(answering)
})

test('a connection that takes too long is closed, also if it opens later', async () => {
  let [stand, destroyed] = [() => {}, 0]
  const connect = () => new Promise<void>(resolve => (stand = resolve))
  const apart = new SideConnection(() => ({ ...client(connect), destroy: () => destroyed++ }))
  await expect(apart.use(itself)).rejects.toThrow('did not respond')
  expect(destroyed).toBe(1)
  stand()
  await new Promise(setImmediate)
  expect(destroyed).toBe(2)
})

test('after a failure new work gets another connection, and running work ends on the old one', async () => {
  const made: { isDestroyed: boolean }[] = []
  const apart = new SideConnection(() => {
    const one = { ...client(async () => undefined), isDestroyed: false, destroy: () => (one.isDestroyed = true) }
    made.push(one)
    return one
  })
  let end = (_: string) => {}
  const under = apart.use(() => new Promise<string>(resolve => (end = resolve)))
  await expect(apart.use(() => Promise.reject(new Error('MOVED')))).rejects.toThrow('MOVED')
  expect(await apart.use(itself)).toBe(made[1])
  expect(made.map(({ isDestroyed }) => isDestroyed)).toEqual([false, false])
  end('done')
  expect(await under).toBe('done')
  await new Promise(setImmediate)
  expect(made.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false])
})

test('unanswered work fails, and the next gets another connection', async () => {
  const made = [client(async () => undefined), client(async () => undefined)]
  const [silent, answering] = made
  const apart = new SideConnection(() => made.shift() ?? client(never))
  expect(await apart.use(itself)).toBe(silent)
  await expect(apart.use(never)).rejects.toThrow('did not respond')
  expect(await apart.use(itself)).toBe(answering)
})
