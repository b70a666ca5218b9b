import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { defineModel, type TypedModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { hostDevice, openRemote } from '@godwit/model/remote'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { createElement, StrictMode } from 'react'
import { act, cleanup, render, screen } from './page.fixture.js'
import { type Draft, useDraft } from './use-draft.js'

const Task = defineModel('Task', {
  partition: 'local',
  attributes: { title: t.string(), done: t.boolean().default(false), at: t.timestamp().optional() },
})
const models = { Task }
const open = (directory: string) => openSdk({ directory, models })

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

let form: Draft<'Task', typeof models>
function Form({ id, model = tasks }: { id: string | undefined; model?: typeof tasks }) {
  form = useDraft(model, id)
  return createElement('p', { role: 'note' }, `${form.draft?.title ?? 'none'} ${form.draft?.done}`)
}
const displayed = () => screen.getByRole('note').textContent
const show = (id: string | undefined) => render(createElement(StrictMode, null, createElement(Form, { id })))

describe('a draft', () => {
  test('follows its row where it was not edited, and is dirty where an edit differs', () => {
    const { id } = tasks.create({ title: 'tea' })
    show(id)
    expect([displayed(), form.dirty]).toEqual(['tea false', false])
    act(() => form.set({ title: 'coffee' }))
    expect([displayed(), form.dirty]).toEqual(['coffee false', true])
    act(() => void tasks.update(id, { done: true }))
    expect([displayed(), form.dirty, form.changedElsewhere]).toEqual(['coffee true', true, []])
    act(() => form.set({ title: 'tea', done: undefined }))
    expect([displayed(), form.dirty]).toEqual(['tea true', false])
  })

  test('saves only what differs from the row, once', async () => {
    const { id } = tasks.create({ title: 'tea', at: new Date(0) })
    const update = jest.spyOn(tasks, 'update')
    show(id)
    act(() => form.set({ title: 'coffee', done: false, at: new Date(0) }))
    await act(async () => expect(await form.save()).toBe(true))
    expect(update.mock.calls).toEqual([[id, { title: 'coffee' }]])
    expect([displayed(), form.dirty]).toEqual(['coffee false', false])
    await act(async () => expect(await form.save()).toBe(true))
    expect(update).toHaveBeenCalledTimes(1)
    act(() => void tasks.update(id, { title: 'water' }))
    expect([displayed(), form.dirty, form.changedElsewhere]).toEqual(['water false', false, []])
  })

  test('names what changed elsewhere while it was edited, until the edit is dropped or saved', async () => {
    const { id } = tasks.create({ title: 'tea' })
    show(id)
    act(() => form.set({ title: 'coffee', done: true }))
    act(() => void tasks.update(id, { title: 'water' }))
    expect([displayed(), form.changedElsewhere, form.row?.title]).toEqual(['coffee true', ['title'], 'water'])
    act(() => form.reset())
    expect([displayed(), form.dirty, form.changedElsewhere]).toEqual(['water false', false, []])
    act(() => form.set({ title: 'coffee' }))
    act(() => void tasks.update(id, { title: 'milk' }))
    await act(async () => expect(await form.save()).toBe(true))
    expect([displayed(), form.changedElsewhere, tasks.get(id)?.title]).toEqual(['coffee false', [], 'coffee'])
  })

  test('keeps the edits that could not be saved', async () => {
    const { id } = tasks.create({ title: 'tea' })
    show(id)
    act(() => form.set({ title: 7 as never }))
    await act(() => expect(form.save()).rejects.toMatchObject({ code: 'attribute_invalid' }))
    expect([displayed(), form.dirty]).toEqual(['7 false', true])
    act(() => form.set({ title: 'coffee' }))
    act(() => void tasks.destroy(id))
    expect([displayed(), form.dirty, form.row]).toEqual(['coffee false', true, undefined])
    await act(async () => expect(await form.save()).toBe(false))
    expect([displayed(), form.dirty]).toEqual(['coffee false', true])
    act(() => form.reset())
    expect(displayed()).toBe('none undefined')
  })

  test('is another one for another id, and none without an id', () => {
    const [tea, milk] = tasks.createMany([{ title: 'tea' }, { title: 'milk' }])
    const { rerender } = show(tea?.id)
    act(() => form.set({ title: 'coffee' }))
    rerender(createElement(StrictMode, null, createElement(Form, { id: milk?.id })))
    expect([displayed(), form.dirty]).toEqual(['milk false', false])
    rerender(createElement(StrictMode, null, createElement(Form, { id: tea?.id })))
    expect([displayed(), form.dirty]).toEqual(['tea false', false])
    rerender(createElement(StrictMode, null, createElement(Form, { id: undefined })))
    act(() => form.set({ title: 'coffee' }))
    expect(displayed()).toBe('none undefined')
  })
})

/** A model whose one row the test sets. */
function oneRow(first: { id: string; title: string; done: boolean }) {
  const listeners = new Set<() => void>()
  let now = { status: 'ready', rows: [first], error: undefined }
  return {
    set(row: typeof first) {
      now = { ...now, rows: [row] }
      for (const listener of listeners) listener()
    },
    model: {
      name: 'Task',
      update: async (_: string, changes: object) => ({ ...first, ...changes }),
      live: () => ({
        current: () => now,
        subscribe(listener: () => void) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      }),
    } as unknown as typeof tasks,
  }
}

test('a draft keeps its edits when its row gets its real id, by either id', () => {
  const { model, set } = oneRow({ id: 'temporary', title: 'tea', done: false })
  const { rerender } = render(createElement(Form, { id: 'temporary', model }))
  act(() => form.set({ title: 'coffee' }))
  act(() => set({ id: '7', title: 'tea', done: true }))
  expect([displayed(), form.dirty]).toEqual(['coffee true', true])
  rerender(createElement(Form, { id: '7', model }))
  expect([displayed(), form.dirty]).toEqual(['coffee true', true])
})

test('a saved draft shows its values until the row of another thread has them', async () => {
  const { model, set } = oneRow({ id: '7', title: 'tea', done: false })
  render(createElement(Form, { id: '7', model }))
  act(() => form.set({ title: 'coffee' }))
  let saving: Promise<boolean> | undefined
  act(() => {
    saving = form.save()
    form.set({ done: true })
  })
  await act(async () => expect(await saving).toBe(true))
  expect([displayed(), form.dirty]).toEqual(['coffee true', true])
  act(() => set({ id: '7', title: 'Coffee', done: false }))
  expect([displayed(), form.changedElsewhere]).toEqual(['Coffee true', []])
  act(() => set({ id: '7', title: 'Coffee', done: true }))
  expect([displayed(), form.dirty]).toEqual(['Coffee true', false])
})

let remote: Draft<'Task', typeof models, 'remote'> | undefined
function RemoteForm({ id, model }: { id: string; model: TypedModel<'Task', typeof models, 'remote'> }) {
  remote = useDraft(model, id)
  return createElement('p', { role: 'note' }, remote.draft?.title ?? 'none')
}

test('a draft works over a device in another thread', async () => {
  const { port1, port2 } = new MessageChannel()
  const stop = hostDevice({ sdk, models }).connect(port1 as never)
  const device = openRemote(port2 as never, { models })
  const { id } = tasks.create({ title: 'tea' })
  render(createElement(RemoteForm, { id, model: device.models.Task }))
  await screen.findByText('tea')
  act(() => remote?.set({ title: 'coffee' }))
  await act(async () => expect(await remote?.save()).toBe(true))
  expect([displayed(), tasks.get(id)?.title, remote?.dirty]).toEqual(['coffee', 'coffee', false])
  act(() => void tasks.update(id, { title: 'water' }))
  await screen.findByText('water')
  cleanup()
  device.close()
  stop()
  port1.close()
})
