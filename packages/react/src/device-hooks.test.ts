import type { DeviceStatus, LiveRows } from '@godwit/model'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { act, cleanup, render, screen } from './page.fixture.js'
import { DeviceProvider, type HookDevice } from './provider.js'
import { useBlobUrl } from './use-blob-url.js'
import { useOverwritten } from './use-overwritten.js'
import { useRefusals } from './use-refusals.js'
import { useSourceStatus } from './use-source-status.js'
import { useSyncStatus } from './use-sync-status.js'

/** A snapshot whose value the test sets. */
function changing<T>(first: T) {
  const listeners = new Set<() => void>()
  let now = first
  return {
    listeners,
    set(next: T) {
      now = next
      for (const listener of listeners) listener()
    },
    current: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A source of events that the test emits. */
function eventSource() {
  const waiting = new Set<(result: IteratorResult<object, void>) => void>()
  let open = 0
  return {
    open: () => open,
    report(event: object) {
      for (const resolve of waiting) resolve({ done: false, value: event })
      waiting.clear()
    },
    events(): AsyncGenerator<object, void, void> {
      open++
      let isOver = false
      const reader = {
        next: () => new Promise<IteratorResult<object, void>>(resolve => waiting.add(resolve)),
        async return() {
          if (!isOver) open--
          isOver = true
          return { done: true as const, value: undefined }
        },
        [Symbol.asyncIterator]: () => reader,
      }
      return reader as unknown as AsyncGenerator<object, void, void>
    },
  }
}

const status = { loggedIn: false, online: false, waiting: 0 } as DeviceStatus
const loading: LiveRows<object> = { status: 'loading', rows: [], error: undefined }
const blobs = new Map<string, string>()
let device: HookDevice
let statuses: ReturnType<typeof changing<DeviceStatus>>
let refused: ReturnType<typeof changing<LiveRows<object>>>
let overwritten: ReturnType<typeof changing<LiveRows<object>>>
let source: ReturnType<typeof eventSource>
const revoke = jest.fn()

beforeEach(() => {
  statuses = changing(status)
  refused = changing(loading)
  overwritten = changing(loading)
  source = eventSource()
  device = {
    status: statuses,
    liveRefused: () => refused,
    liveOverwritten: () => overwritten,
    events: source.events,
    blobUrl: async ({ hash }) => blobs.get(hash),
  }
  URL.revokeObjectURL = revoke
})
afterEach(() => {
  cleanup()
  blobs.clear()
  revoke.mockClear()
})

const within = (component: FunctionComponent<{ hash?: string | undefined }>, hash?: string) =>
  createElement(DeviceProvider, { device }, createElement(component, { hash }))
const text = (displayed: string | undefined) => createElement('p', { role: 'note' }, displayed)
const displayed = () => screen.getByRole('note').textContent

const Waiting = () => text(String(useSyncStatus().waiting))
const Source = () => text(JSON.stringify(useSourceStatus({ name: 'City' })))
const Refused = () =>
  text(
    useRefusals()
      .rows.map(row => row.object)
      .join(' '),
  )
const Overwritten = () =>
  text(
    useOverwritten()
      .rows.map(row => row.object)
      .join(' '),
  )
const Photo = ({ hash }: { hash?: string | undefined }) =>
  text(useBlobUrl(hash === undefined ? undefined : { hash }) ?? 'none')

test('useSyncStatus shows the status of the device, and listens only while it is shown', () => {
  const { unmount } = render(within(Waiting))
  expect(displayed()).toBe('0')
  act(() => statuses.set({ ...status, waiting: 2 }))
  expect(displayed()).toBe('2')
  unmount()
  expect(statuses.listeners.size).toBe(0)
})

test('a page hydrates what a server rendered of the status, though its device is further by then', async () => {
  const error = jest.spyOn(console, 'error').mockImplementation(() => {})
  const container = document.createElement('div')
  container.innerHTML = renderToString(within(Waiting))
  statuses.set({ ...status, waiting: 2 })
  document.body.append(container)
  await act(async () => render(within(Waiting), { container, hydrate: true }))
  expect(displayed()).toBe('2')
  expect(error.mock.calls).toEqual([])
  error.mockRestore()
  container.remove()
})

test('useSourceStatus shows the first sync, the progress and the last error of one model', () => {
  render(within(Source))
  const never = { synced: false, progress: null, error: null, staleSince: null }
  expect(JSON.parse(displayed() ?? '')).toEqual(never)
  const City = { ...never, progress: { received: 2, total: 5 }, error: { code: 'backend_failed', message: 'away' } }
  act(() => statuses.set({ ...status, sources: { City, Visit: never } }))
  expect(JSON.parse(displayed() ?? '')).toEqual(City)
})

test('a provider reports errors that no call waits for, to its newest handler, and stops with it', async () => {
  const [first, second] = [jest.fn(), jest.fn()]
  const page = (onError?: typeof first) => createElement(DeviceProvider, { device, onError })
  const { rerender } = await act(async () => render(page(first)))
  await act(async () => source.report({ kind: 'source', source: 'City' }))
  const error = { code: 'backend_failed', message: 'away' }
  await act(async () => source.report({ kind: 'error', source: 'City', error }))
  expect(first.mock.calls).toEqual([[{ source: 'City', error }]])
  rerender(page(second))
  await act(async () => source.report({ kind: 'error', source: null, error }))
  expect([first.mock.calls.length, second.mock.calls]).toEqual([1, [[{ source: null, error }]]])
  expect(source.open()).toBe(1)
  await act(async () => rerender(page()))
  expect(source.open()).toBe(0)
})

test('useRefusals lists unsettled refusals', () => {
  const { unmount } = render(within(Refused))
  act(() => refused.set({ status: 'ready', rows: [{ object: '7' }], error: undefined }))
  expect(displayed()).toBe('7')
  unmount()
  expect(refused.listeners.size).toBe(0)
})

test('useOverwritten lists changes that replaced values of others', () => {
  const { unmount } = render(within(Overwritten))
  act(() => overwritten.set({ status: 'ready', rows: [{ object: '8' }], error: undefined }))
  expect(displayed()).toBe('8')
  unmount()
  expect(overwritten.listeners.size).toBe(0)
})

test('useBlobUrl waits for the bytes, and revokes its URLs', async () => {
  const { rerender, unmount } = await act(async () => render(within(Photo, 'a')))
  expect(displayed()).toBe('none')
  blobs.set('a', 'blob:a')
  await act(async () => source.report({ kind: 'blob' }))
  expect(displayed()).toBe('blob:a')
  blobs.set('b', 'blob:b')
  await act(async () => rerender(within(Photo, 'b')))
  expect(displayed()).toBe('blob:b')
  expect(revoke).toHaveBeenCalledWith('blob:a')
  unmount()
  expect(revoke).toHaveBeenCalledTimes(2)
  expect(source.open()).toBe(0)
})

test('useBlobUrl revokes a URL that arrives after the component is unmounted', async () => {
  const late = Promise.withResolvers<string>()
  device = { ...device, blobUrl: () => late.promise }
  const { unmount } = await act(async () => render(within(Photo, 'a')))
  unmount()
  await act(async () => late.resolve('blob:late'))
  expect(source.open()).toBe(0)
  expect(revoke.mock.calls).toEqual([['blob:late']])
})

test('useBlobUrl asks again when a device that did not answer does so again', async () => {
  let isSilent = true
  const blobUrl = jest.fn(async () => {
    if (isSilent) throw new Error('silent')
    return 'blob:a'
  })
  device = { ...device, blobUrl }
  const { unmount } = await act(async () => render(within(Photo, 'a')))
  expect(displayed()).toBe('none')
  await act(async () => statuses.set({ ...status, problem: { code: 'owner_silent', message: 'silent' } }))
  expect(blobUrl).toHaveBeenCalledTimes(1)
  isSilent = false
  await act(async () => statuses.set({ ...status, problem: null }))
  expect(displayed()).toBe('blob:a')
  await act(async () => statuses.set({ ...status, problem: null, waiting: 1 }))
  expect(blobUrl).toHaveBeenCalledTimes(2)
  unmount()
  expect([source.open(), statuses.listeners.size]).toEqual([0, 0])
  expect(revoke.mock.calls).toEqual([['blob:a']])
})

test('a hook outside a DeviceProvider says what is missing', () => {
  const error = jest.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(createElement(Waiting))).toThrow('expected a DeviceProvider around this component')
  error.mockRestore()
})
