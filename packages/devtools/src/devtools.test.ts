import type { LiveQueryFacts, PendingChange } from '@godwit/model'
import { afterEach, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { createElement } from 'react'
import { Devtools } from './index.js'
import { act, cleanup, render } from './page.fixture.js'
import { EMPTY, withEvents } from './report.js'

/** A device that sends the events of the test. */
function fakeDevice() {
  const tellers = new Set<(event: object) => void>()
  const queries: readonly LiveQueryFacts[] = [
    { query: 1, model: 'Visit', text: '{"limit":20}', rows: 4, runs: 2, milliseconds: 0.4 },
  ]
  const changes = [{ model: 'Visit', object: 'a', operation: 'create', attributes: { note: 'Snow' }, state: 'unsent' }]
  return {
    listeners: () => tellers.size,
    tell: (event: object) => {
      for (const one of tellers) one(event)
    },
    trace: async () => queries,
    changes: () => changes as unknown as readonly PendingChange[],
    events() {
      const queue: object[] = []
      let wake = (): void => {}
      let isOver = false
      const teller = (event: object): void => {
        queue.push(event)
        wake()
      }
      tellers.add(teller)
      const reader = {
        async next(): Promise<IteratorResult<object, void>> {
          while (queue.length === 0 && !isOver) await new Promise<void>(resolve => (wake = resolve))
          const value = queue.shift()
          return value === undefined ? { done: true, value: undefined } : { done: false, value }
        },
        async return() {
          isOver = true
          tellers.delete(teller)
          wake()
          return { done: true as const, value: undefined }
        },
        [Symbol.asyncIterator]: () => reader,
      }
      return reader as unknown as AsyncGenerator<object, void, void>
    },
  }
}

afterEach(cleanup)

const displayed = (): string => {
  const host = document.body.querySelector('div > div')
  return host?.shadowRoot?.textContent ?? ''
}
const click = (name: string) =>
  act(async () => {
    const all = [...(document.body.querySelector('div > div')?.shadowRoot?.querySelectorAll('button') ?? [])]
    const button = all.find(one => one.textContent?.startsWith(name) || one.getAttribute('aria-label') === name)
    button?.click()
  })
const settled = () => act(() => new Promise(resolve => setTimeout(resolve, 250)))

test('the panel shows requests, transactions, live queries and the outbox, with bytes and times', async () => {
  const device = fakeDevice()
  render(createElement(Devtools, { device, placement: 'inline' }))
  await settled()
  device.tell({
    ...{ kind: 'request', method: 'POST', path: '/app/v1/Visit', status: 200 },
    ...{ sent: 120, received: 4_500, milliseconds: 31.4 },
  })
  device.tell({ kind: 'transaction', rows: { Visit: 3 }, milliseconds: 1.25 })
  await settled()
  expect(displayed()).toContain('POST /app/v1/Visit')
  expect(displayed()).toContain('200 · 120 B up · 4.5 KB down')
  expect(displayed()).toContain('3 written')
  await click('Live queries')
  expect(displayed()).toContain('at most 20')
  expect(displayed()).toContain('0.4 ms')
  await click('Outbox')
  expect(displayed()).toContain('note Snow')
})

test('the floating panel is a button until it is opened, and then shows earlier events', async () => {
  const device = fakeDevice()
  const { unmount } = render(createElement(Devtools, { device }))
  expect(displayed()).toBe('Godwit')
  device.tell({ kind: 'transaction', rows: { Visit: 7 }, milliseconds: 1 })
  await settled()
  await click('Godwit')
  expect(displayed()).toContain('7 written')
  await click('Close')
  expect(displayed()).toBe('Godwit')
  unmount()
  expect(device.listeners()).toBe(0)
})

test('the panel keeps the latest 300 events, and counts all', () => {
  const event = { at: 0, event: { kind: 'request', sent: 1, received: 2 } }
  const report = [0, 1, 2].reduce(
    one =>
      withEvents(
        one,
        Array.from({ length: 200 }, () => event),
      ),
    EMPTY,
  )
  expect([report.seen.length, report.requests, report.sent, report.received]).toEqual([300, 600, 600, 1200])
  expect(report.seen[0]?.key).toBe(599)
})

/** Returns a bundle of an app with the panel. */
async function bundled(entry: 'index' | 'always', mode: 'production' | 'development'): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { Devtools } from './packages/devtools/src/${entry}.ts'; globalThis.app = Devtools`,
      resolveDir: process.cwd(),
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', jsx: 'automatic', minifySyntax: true },
    external: ['react', 'react-dom', 'react/jsx-runtime'],
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
  })
  return outputFiles[0]?.text ?? ''
}

test('production builds leave the panel out, unless it is asked for by @godwit/devtools/always', async () => {
  const words = 'What just happened'
  expect(await bundled('index', 'development')).toContain(words)
  expect(await bundled('always', 'production')).toContain(words)
  const production = await bundled('index', 'production')
  expect(production).not.toContain(words)
  expect(production.length).toBeLessThan(300)
})
