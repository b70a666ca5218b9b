import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, type LiveRows, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createElement, StrictMode, Suspense } from 'react'
import { act, cleanup, render, screen } from './page.fixture.js'
import { useQuery, useSuspenseQuery } from './use-query.js'
import { useRow } from './use-row.js'

const Task = defineModel('Task', {
  partition: 'local',
  attributes: { title: t.string(), done: t.boolean().default(false), at: t.timestamp().optional() },
})
const open = (directory: string) => openSdk({ directory, models: { Task } })

let folder: string
let sdk: Awaited<ReturnType<typeof open>>
let tasks: (typeof sdk)['models']['Task']
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-react-'))
  sdk = await open(folder)
  tasks = sdk.models.Task
})
afterEach(async () => {
  cleanup()
  await sdk.close()
  rmSync(folder, { recursive: true })
})

const displayed = () => screen.getByRole('list').textContent
const list = (text: string | undefined) => createElement('p', { role: 'list' }, text)
const titles = (rows: readonly { readonly title: string }[]) => rows.map(({ title }) => title).join(' ')

let renders = 0
function Tasks({ done }: { done: boolean }) {
  renders++
  const { rows, status } = useQuery(tasks, { conditions: { done }, order: { title: 'asc' } })
  return list(`${status}: ${titles(rows)}`)
}
const SuspendedTasks = () => list(titles(useSuspenseQuery(tasks)))
const WrongTasks = () => list(useQuery(tasks, { order: { nothing: 'asc' } as never }).error?.message)
const OneTask = ({ id, select }: { id: string | undefined; select?: 'title'[] }) =>
  list(useRow(tasks, id, select && { select }).row?.title ?? 'none')

/** A live query that responds later, like one of another thread. */
function remoteQuery() {
  const listeners = new Set<() => void>()
  let now: LiveRows<object> = { status: 'loading', rows: [], error: undefined }
  return {
    subscribers: () => listeners.size,
    live: {
      current: () => now,
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    answer(rows: readonly object[]) {
      now = { status: 'ready', rows, error: undefined }
      for (const listener of listeners) listener()
    },
  }
}

/** A model whose queries respond when the test says so. */
function remote() {
  const queries: ReturnType<typeof remoteQuery>[] = []
  const live = jest.spyOn(tasks, 'live').mockImplementation((() => {
    const query = remoteQuery()
    queries.push(query)
    return query.live
  }) as never)
  return { queries, live }
}

test('shows rows at the first render, and those of each transaction after it', () => {
  tasks.create({ title: 'a' })
  render(createElement(StrictMode, null, createElement(Tasks, { done: false })))
  expect(displayed()).toBe('ready: a')
  act(() => void tasks.create({ title: 'b' }))
  expect(displayed()).toBe('ready: a b')
})

test('queries again when the value of an option changes, and not its identity', () => {
  tasks.createMany([{ title: 'a' }, { title: 'b', done: true }])
  const live = jest.spyOn(tasks, 'live')
  const { rerender } = render(createElement(Tasks, { done: false }))
  rerender(createElement(Tasks, { done: false }))
  expect(live).toHaveBeenCalledTimes(1)
  rerender(createElement(Tasks, { done: true }))
  expect(displayed()).toBe('ready: b')
  expect(live).toHaveBeenCalledTimes(2)
})

test('renders once for a transaction that changes its rows, and not for others', () => {
  render(createElement(Tasks, { done: false }))
  renders = 0
  act(() => void tasks.createMany(Array.from({ length: 100 }, (_, at) => ({ title: String(at) }))))
  expect(renders).toBe(1)
  act(() => void tasks.create({ title: 'other', done: true }))
  expect(renders).toBe(1)
})

test('components with equal options share one query, which ends a second after the last', () => {
  jest.useFakeTimers()
  const { queries, live } = remote()
  const two = [1, 2].map(key => createElement(Tasks, { key, done: false }))
  const { unmount } = render(createElement('div', null, two))
  expect(live).toHaveBeenCalledTimes(1)
  unmount()
  jest.advanceTimersByTime(999)
  expect(queries[0]?.subscribers()).toBe(1)
  jest.advanceTimersByTime(1)
  expect(queries[0]?.subscribers()).toBe(0)
  jest.useRealTimers()
})

test('a thousand unmounted queries hold no memory', () => {
  jest.useFakeTimers()
  const { queries } = remote()
  const { rerender, unmount } = render(createElement(OneTask, { id: 'first' }))
  for (let at = 0; at < 1_000; at++) rerender(createElement(OneTask, { id: String(at) }))
  unmount()
  jest.advanceTimersByTime(1_000)
  expect(queries.filter(query => query.subscribers() > 0)).toEqual([])
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test('keeps the old rows while a changed query loads', () => {
  const { queries } = remote()
  const { rerender } = render(createElement(Tasks, { done: false }))
  expect(displayed()).toBe('loading: ')
  act(() => queries[0]?.answer([{ title: 'open' }]))
  expect(displayed()).toBe('ready: open')
  rerender(createElement(Tasks, { done: true }))
  expect(displayed()).toBe('loading: open')
  act(() => queries[1]?.answer([{ title: 'done' }]))
  expect(displayed()).toBe('ready: done')
})

test('a suspended component shows its rows once loaded, though its first render was discarded', async () => {
  const { queries, live } = remote()
  const waiting = createElement('i', null, 'waiting')
  const suspended = createElement(Suspense, { fallback: waiting }, createElement(SuspendedTasks))
  await act(async () => void render(suspended))
  expect(screen.getByText('waiting')).toBeTruthy()
  await act(async () => queries[0]?.answer([{ title: 'there' }]))
  expect(displayed()).toBe('there')
  expect(live).toHaveBeenCalledTimes(1)
})

test('useRow shows no other row while the one of a new id loads', () => {
  const { queries } = remote()
  const { rerender } = render(createElement(OneTask, { id: 'first' }))
  act(() => queries[0]?.answer([{ id: 'first', title: 'first' }]))
  expect(displayed()).toBe('first')
  rerender(createElement(OneTask, { id: 'second' }))
  expect(displayed()).toBe('none')
  act(() => queries[1]?.answer([{ id: 'second', title: 'second' }]))
  expect(displayed()).toBe('second')
  rerender(createElement(OneTask, { id: undefined }))
  expect(displayed()).toBe('none')
})

test('useRow keeps its row while other options of it load', () => {
  const { queries } = remote()
  const { rerender } = render(createElement(OneTask, { id: 'first' }))
  act(() => queries[0]?.answer([{ id: 'first', title: 'first' }]))
  rerender(createElement(OneTask, { id: 'first', select: ['title'] }))
  expect(queries.length).toBe(2)
  expect(displayed()).toBe('first')
})

test('an invalid query says why', () => {
  render(createElement(WrongTasks))
  expect(displayed()).toMatch(/nothing/)
})

test('useRow follows one row until it is gone', () => {
  const { id } = tasks.create({ title: 'first' })
  const { rerender } = render(createElement(OneTask, { id: undefined }))
  expect(displayed()).toBe('none')
  rerender(createElement(OneTask, { id }))
  expect(displayed()).toBe('first')
  act(() => void tasks.update(id, { title: 'second' }))
  expect(displayed()).toBe('second')
  act(() => void tasks.destroy(id))
  expect(displayed()).toBe('none')
})
