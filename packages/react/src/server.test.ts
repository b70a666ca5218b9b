import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { defineModel, t } from '@godwit/model'
import { openRemote } from '@godwit/model/remote'
import { expect, jest, test } from '@jest/globals'
import { createElement, type FunctionComponent, Suspense } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { useQuery, useSuspenseQuery } from './use-query.js'
import { useRow } from './use-row.js'

const Task = defineModel('Task', { partition: 'local', attributes: { title: t.string() } })
/** The device in server rendering: a worker that never responds. */
const device = openRemote({ postMessage() {}, addEventListener() {}, removeEventListener() {} }, { models: { Task } })
const { Task: tasks } = device.models

const AllTasks = () => createElement('p', null, useQuery(tasks).status)
const OneTask = ({ id }: { id: string }) => createElement('p', null, useRow(tasks, id).status)
const SuspendedTasks = () => createElement('p', null, useSuspenseQuery(tasks).length)
const within = (component: FunctionComponent) =>
  createElement(Suspense, { fallback: createElement('i', null, 'waiting') }, createElement(component))

test('a server renders every query as loading', () => {
  expect(renderToString(within(AllTasks))).toContain('<p>loading</p>')
})

test('a server that renders rows of a thousand ids keeps none of their queries', () => {
  jest.useFakeTimers()
  const live = jest.spyOn(tasks, 'live')
  const render = () => {
    for (let at = 0; at < 1_000; at++) renderToString(createElement(OneTask, { id: String(at) }))
  }
  render()
  jest.advanceTimersByTime(1_000)
  live.mockClear()
  render()
  expect(live).toHaveBeenCalledTimes(1_000)
  jest.advanceTimersByTime(1_000)
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test('a server streams the fallback of a suspended query, and ends', async () => {
  const errors: unknown[] = []
  const page = new PassThrough()
  renderToPipeableStream(within(SuspendedTasks), { onError: error => void errors.push(error) }).pipe(page)
  expect(await text(page)).toContain('waiting')
  expect(errors).toMatchObject([{ message: expect.stringContaining('during server rendering') }])
})
