import type { SubscriptionState } from '@godwit/model'
import { afterEach, expect, jest, test } from '@jest/globals'
import { createElement } from 'react'
import { act, cleanup, render, screen } from './page.fixture.js'
import { useSubscription } from './use-subscription.js'

afterEach(cleanup)

/** A model that counts what is subscribed. */
function subscribing() {
  let state: SubscriptionState = { kind: 'waiting' }
  const calls: unknown[] = []
  const model = {
    subscribe: (parameters: unknown, options: unknown) => {
      calls.push(['subscribe', parameters, options])
      return {
        get state() {
          return state
        },
        unsubscribe: () => void calls.push(['unsubscribe', parameters]),
      }
    },
  }
  const set = (next: SubscriptionState) => {
    state = next
  }
  return { model: model as never, calls, set }
}

const Project = ({ model, project }: { model: never; project: string }) =>
  createElement('p', { role: 'note' }, useSubscription(model, { project } as never).kind)

test('useSubscription subscribes while it is mounted, and keeps rows for five minutes', async () => {
  const { model, calls } = subscribing()
  const { rerender, unmount } = await act(async () => render(createElement(Project, { model, project: '7' })))
  await act(async () => rerender(createElement(Project, { model, project: '7' })))
  expect(calls).toEqual([['subscribe', { project: '7' }, { keep: '5m' }]])
  await act(async () => rerender(createElement(Project, { model, project: '8' })))
  unmount()
  expect(calls.slice(1)).toEqual([
    ['unsubscribe', { project: '7' }],
    ['subscribe', { project: '8' }, { keep: '5m' }],
    ['unsubscribe', { project: '8' }],
  ])
})

test('two components of one partition subscribe once, and the last one unsubscribes', async () => {
  const { model, calls } = subscribing()
  const first = await act(async () => render(createElement(Project, { model, project: '7' })))
  const second = await act(async () => render(createElement(Project, { model, project: '7' })))
  first.unmount()
  expect(calls.length).toBe(1)
  second.unmount()
  expect(calls.at(-1)).toEqual(['unsubscribe', { project: '7' }])
})

test('useSubscription displays what the partition is doing', async () => {
  jest.useFakeTimers()
  try {
    const { model, set } = subscribing()
    await act(async () => render(createElement(Project, { model, project: '7' })))
    expect(screen.getByRole('note').textContent).toBe('waiting')
    set({ kind: 'live' })
    await act(async () => jest.advanceTimersByTimeAsync(1000))
    expect(screen.getByRole('note').textContent).toBe('live')
  } finally {
    jest.useRealTimers()
  }
})
