import { defineSource } from '@godwit/source'
import { expect, jest, test } from '@jest/globals'
import { ServerTimers } from '../../base/server-timers.js'
import { testEngine } from '../../testing/engine.fixture.js'
import { callSource } from './call-source.js'
import { withLogin } from './with-login.js'

const ALL = { user: 'ada', partition: 'user:ada', timeout: 60 }

async function watchedEngine() {
  const stopping = new AbortController()
  const added = jest.spyOn(stopping.signal, 'addEventListener')
  const removed = jest.spyOn(stopping.signal, 'removeEventListener')
  const timers = new ServerTimers(stopping.signal)
  const engine = { ...(await testEngine([])), stopping: stopping.signal, timers }
  const listeners = () => added.mock.calls.length - new Set(removed.mock.calls.map(([, listener]) => listener)).size
  return { engine, stopping, added, listeners }
}

test('a finished call no longer listens for the stop of the server', async () => {
  const { engine, added, listeners } = await watchedEngine()
  const source = defineSource({ name: 'Visit' })
  const calls = async (count: number) => {
    for (let n = 0; n < count; n++)
      await callSource(engine, { source, ...ALL }, ({ signal }) => signal.aborted).beforeTimeout
    await new Promise(resolve => setImmediate(resolve))
  }
  await calls(1)
  // The one listener that all timers of a server share stays.
  expect(listeners()).toBe(1)
  const before = added.mock.calls.length
  await calls(10)
  expect(added.mock.calls.length - before).toBe(10)
  expect(listeners()).toBe(1)
})

test('a logoff in the background is aborted when the server stops', async () => {
  const { engine, stopping } = await watchedEngine()
  const heard = Promise.withResolvers<boolean>()
  const source = defineSource({
    name: 'Visit',
    login() {},
    logoff: ({ signal }) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          heard.resolve(signal.aborted)
          resolve()
        })
      }),
  })
  const call = callSource(engine, { source, ...ALL }, (context, holdSignal) =>
    withLogin({ source, context, holdSignal }, () => 'done'),
  )
  expect(await call.beforeTimeout).toBe('done')
  await new Promise(resolve => setImmediate(resolve))
  stopping.abort()
  expect(await heard.promise).toBe(true)
})
