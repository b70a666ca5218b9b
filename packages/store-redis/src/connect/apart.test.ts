import { expect, test } from '@jest/globals'
import { Apart } from './apart.js'

const client = (connect: () => Promise<void>) => ({ connect, destroy: () => undefined, on: () => undefined })
const never = () => new Promise<never>(() => {})

test('a server that takes the connection and says nothing is given up, and the next attempt is another one', async () => {
  const made = [client(never), client(async () => undefined)]
  const apart = new Apart(() => made.shift() ?? client(never))
  const [, answering] = made
  const waiting = [apart.open(), apart.open()]
  for (const one of waiting) await expect(one).rejects.toThrow('said nothing')
  expect(await apart.open()).toBe(answering)
  expect(await apart.open()).toBe(answering)
})

test('a connection that takes too long is let go, and again when it stands after all', async () => {
  let [stand, destroyed] = [() => {}, 0]
  const connect = () => new Promise<void>(resolve => (stand = resolve))
  const apart = new Apart(() => ({ ...client(connect), destroy: () => destroyed++ }))
  await expect(apart.open()).rejects.toThrow('said nothing')
  expect(destroyed).toBe(1)
  stand()
  await new Promise(setImmediate)
  expect(destroyed).toBe(2)
})
