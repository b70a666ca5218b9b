import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { createSyncServer, defineSource, gone } from '@godwit/server'
import type { Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { OPEN_STORES } from '../harness/in-process.js'
import { redisAddress, STORES, temporaryFolder } from '../harness/stores.js'

interface TaskRow {
  readonly project: string
  readonly title: string
}

const Project = defineModel('Project', { sync: 'incremental', attributes: { name: t.string() } })
const Task = defineModel('Task', {
  sync: 'incremental',
  by: ['project'],
  attributes: { project: t.belongsTo(Project, { as: 'of' }), title: t.string() },
})
const models = { Project, Task }

const tasks = new Map<string, TaskRow>()
const projects = new Map<string, { readonly name: string }>()
/** The projects that each user may see, and those that the device holds without a subscription. */
const members = new Map<string, Set<string>>()
const listed = new Map<string, Set<string>>()
const ends: (() => unknown)[] = []
let server: ReturnType<typeof createSyncServer>
let url: string
/** The number in the last id, above those of the first tasks. */
let made = 100

const openStore = async (name: string, folder: string): Promise<Store> =>
  (await OPEN_STORES.find(one => one.name === name)?.open(folder)) ?? connectRedisStore(await redisAddress(folder))

async function start(name: string): Promise<void> {
  tasks.clear()
  projects.clear()
  for (const user of ['ada', 'bob']) {
    members.set(user, new Set(['7', '8']))
    listed.set(user, new Set())
  }
  for (const project of ['7', '8', '9']) {
    projects.set(project, { name: `P${project}` })
    tasks.set(`t${project}`, { project, title: `of ${project}` })
  }
  const folder = temporaryFolder()
  const store = await openStore(name, folder.path)
  server = createSyncServer({
    store,
    sources: [
      defineSource<{ name: string }>({
        name: 'Project',
        query: ({ user }) => Object.fromEntries([...projects].filter(([id]) => members.get(user)?.has(id))),
        create(attributes, { user }) {
          const id = `p${++made}`
          projects.set(id, attributes)
          members.get(user)?.add(id)
          return { id }
        },
      }),
      defineSource<TaskRow>({
        name: 'Task',
        by: ['project'],
        partitionsOf: ({ user }) => [...(listed.get(user) ?? [])].map(project => ({ project })),
        allow: ({ user, parameters }) => members.get(user)?.has(String(parameters['project'])) === true,
        query: ({ parameters }) =>
          Object.fromEntries([...tasks].filter(([, { project }]) => project === parameters['project'])),
        create(attributes) {
          const id = `t${++made}`
          tasks.set(id, attributes)
          return { id }
        },
        update(id, attributes, { parameters }) {
          const before = tasks.get(id)
          if (!before || before.project !== parameters['project']) throw gone()
          const after = { ...before, ...attributes } as TaskRow
          tasks.set(id, after)
          return { ...after }
        },
        delete: async id => void tasks.delete(id),
      }),
    ],
    admin: { login: 'admin', password: 'admin' },
    users: ['ada', 'bob'].map(login => ({ login, password: login })),
    limits: { passwordCost: 16, allowCache: 0 },
  })
  ends.push(
    () => folder.remove(),
    () => store.close(),
    () => server.close(),
  )
  ;({ url } = await server.listen({ port: 0 }))
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function device(user: string) {
  const folder = temporaryFolder()
  const sdk = await openSdk({ directory: join(folder.path, 'device'), server: url, models, eventStream: false })
  ends.push(
    () => folder.remove(),
    () => sdk.close(),
  )
  sdk.pollInterval = 0
  await sdk.login(user, user)
  await sdk.sync()
  const shown = () =>
    sdk.models.Task.find()
      .map(({ project, title }) => `${project}: ${title}`)
      .sort()
  return { sdk, shown }
}

describe.each(STORES)('partitions of a source, over $name', ({ name }) => {
  beforeEach(() => start(name))

  test('two users share a project, a task moves to another one, and access that ends removes its rows', async () => {
    const [ada, bob] = [await device('ada'), await device('bob')]
    expect(ada.shown()).toEqual([])
    const subscription = ada.sdk.models.Task.subscribe({ project: '7' })
    bob.sdk.models.Task.subscribe({ project: '7' })
    bob.sdk.models.Task.subscribe({ project: '8' })
    expect(await subscription.ready()).toBe(true)
    await bob.sdk.sync()
    expect([ada.shown(), bob.shown()]).toEqual([['7: of 7'], ['7: of 7', '8: of 8']])

    ada.sdk.models.Task.create({ project: '7', title: 'shared' })
    await ada.sdk.sync()
    await bob.sdk.sync()
    expect(bob.shown()).toContain('7: shared')

    const [task] = bob.sdk.models.Task.find({ conditions: { title: 'shared' } })
    bob.sdk.models.Task.update(task?.id ?? '', { project: '8' })
    await bob.sdk.sync()
    expect(bob.shown()).toEqual(['7: of 7', '8: of 8', '8: shared'])
    await ada.sdk.sync()
    expect(ada.shown()).toEqual(['7: of 7'])
    await bob.sdk.sync()
    expect(bob.shown()).toEqual(['7: of 7', '8: of 8', '8: shared'])

    members.get('ada')?.delete('7')
    ada.sdk.models.Task.update('t7', { title: 'too late' })
    await ada.sdk.sync()
    expect(ada.shown()).toEqual([])
    expect(subscription.state).toMatchObject({ kind: 'refused', code: 'partition_not_allowed' })
    expect(ada.sdk.refused()).toMatchObject([{ error: { code: 'partition_not_allowed' } }])
    expect(tasks.get('t7')?.title).toBe('of 7')

    bob.sdk.models.Task.subscribe({ project: '8' }).unsubscribe()
    await bob.sdk.sync()
    expect(bob.shown()).toEqual(['7: of 7'])
  })

  test('a project that is created offline has its tasks and its subscription after the next sync', async () => {
    const { sdk, shown } = await device('ada')
    const project = sdk.models.Project.create({ name: 'offline' })
    sdk.models.Task.create({ project: project.id, title: 'first' })
    sdk.models.Task.subscribe({ project: project.id })
    await sdk.sync()
    await sdk.sync()
    expect(sdk.changes()).toEqual([])
    const [id] = [...projects].find(([, { name }]) => name === 'offline') ?? []
    expect(shown()).toEqual([`${id}: first`])
    expect(sdk.subscriptions()).toMatchObject([{ parameters: { project: id }, by: ['app'], state: { kind: 'live' } }])
  })

  test('a device holds what the server lists, and one partition that the user may not see holds up no other', async () => {
    listed.set('ada', new Set(['7', '8']))
    const { sdk, shown } = await device('ada')
    expect(shown()).toEqual(['7: of 7', '8: of 8'])
    const refused = sdk.models.Task.subscribe({ project: '9' })
    tasks.set('t10', { project: '8', title: 'later' })
    await sdk.sync()
    expect(refused.state.kind).toBe('refused')
    expect(shown()).toEqual(['7: of 7', '8: of 8'])
  })
})
