import { describe, expect, test } from '@jest/globals'
import type { TestServer } from '../../testing/open-server.js'
import { mutation, openProjects } from '../../testing/projects.fixture.js'

const of = (project: string) => ({ source: 'Task', partition: `by:{"project":"${project}"}` })

async function world(options: Parameters<typeof openProjects>[0] = {}) {
  const world = openProjects(options)
  const ada = await world.device('ada')
  const epochs = new Map<string, string>()
  for (const page of (await ada.pull(['1', '2'])).pages)
    if ('epoch' in page) epochs.set(String(page.parameters['project']), page.epoch)
  const epoch = (project: string) => epochs.get(project) ?? ''
  return {
    ...world,
    ada,
    epoch,
    rows: (project: string, ids: string[]) => world.on.store.collections.get(of(project), ids),
  }
}

describe('a push to a partition', () => {
  test('counts numbers and outcomes for each partition', async () => {
    const { ada, epoch, rows } = await world()
    for (const project of ['1', '2']) {
      const create = mutation(1, 'create', { attributes: { project, title: 'mine' } })
      const { body } = await ada.push(project, { epoch: epoch(project), mutations: [create] })
      const [outcome] = body.outcomes ?? []
      expect(outcome).toMatchObject({ outcome: 1, number: 1, status: 'applied', attributes: { project } })
      expect(await rows(project, [outcome?.link ?? ''])).toEqual({ [outcome?.link ?? '']: { project, title: 'mine' } })
    }
  })

  test('an update of an object that is in another partition is gone', async () => {
    const { ada, epoch, backend } = await world()
    const update = mutation(1, 'update', { object: 'b', attributes: { title: 'x' } })
    const { body } = await ada.push('1', { epoch: epoch('1'), mutations: [update] })
    expect(body.outcomes).toMatchObject([{ number: 1, status: 'gone', error: { code: 'gone' } }])
    expect(backend.tasks.get('b')).toEqual({ project: '2', title: 'two' })
  })

  test('a create or an update that leaves an attribute of `by` without a value is refused', async () => {
    const { ada, epoch, backend } = await world()
    const mutations = [
      mutation(1, 'create', { attributes: { title: 'nowhere' } }),
      mutation(2, 'update', { object: 'a', attributes: { project: null }, seen: 1 }),
    ]
    const { body } = await ada.push('1', { epoch: epoch('1'), mutations })
    const message = expect.stringMatching(
      /^expected Task\.project to be text .+ names the partition, got (none|null)\.$/,
    )
    const refused = { status: 'refused', error: { code: 'value_not_allowed', message } }
    expect(body.outcomes).toMatchObject([refused, refused])
    expect([...backend.tasks.keys()]).toEqual(['a', 'b'])
    expect(backend.tasks.get('a')).toEqual({ project: '1', title: 'one' })
  })

  test('without parameters, or with those of another source, is refused as a whole', async () => {
    const { ada, epoch, on } = await world()
    const body = { epoch: epoch('1'), acknowledged: 0, mutations: [] }
    expect((await on.call('POST', '/app/v1/Task', { headers: ada.headers, body })).status).toBe(422)
  })
})

describe('a push of a user who may not see the partition', () => {
  test('decides new mutations as refused, and uses up their numbers', async () => {
    const { ada, epoch, backend, on } = await world()
    const first = mutation(1, 'update', { object: 'a', attributes: { title: 'known' } })
    await ada.push('1', { epoch: epoch('1'), mutations: [first] })
    backend.member('ada', '2')
    await refresh(on, 'ada')
    const second = mutation(2, 'update', { object: 'a', attributes: { title: 'refused' } })
    const { status, body } = await ada.push('1', { epoch: epoch('1'), mutations: [first, second] })
    expect(status).toBe(200)
    expect(body.outcomes).toMatchObject([
      { number: 1, status: 'applied' },
      { number: 2, status: 'refused', error: { code: 'partition_not_allowed' } },
    ])
    for (const outcome of body.outcomes ?? []) expect(outcome).not.toHaveProperty('attributes')
    expect(backend.tasks.get('a')).toMatchObject({ title: 'known' })
  })

  test('is 403 with another epoch, and executes nothing', async () => {
    const { ada, backend, on } = await world()
    backend.member('ada', '2')
    await refresh(on, 'ada')
    const update = mutation(1, 'update', { object: 'a', attributes: { title: 'x' } })
    const { status, body } = await ada.push('1', { epoch: 'another', mutations: [update] })
    expect([status, body.code]).toEqual([403, 'partition_not_allowed'])
    expect(backend.tasks.get('a')).toMatchObject({ title: 'one' })
  })
})

describe('a move', () => {
  test('leaves the old partition with its target and attributes, and is in the new one', async () => {
    const { ada, epoch, rows } = await world()
    const move = mutation(1, 'update', { object: 'a', attributes: { project: '2' }, was: { project: '1' }, seen: 1 })
    const { body } = await ada.push('1', { epoch: epoch('1'), mutations: [move] })
    expect(body.outcomes).toMatchObject([
      { status: 'applied', removed: true, moved: { project: '2' }, attributes: { project: '2', title: 'one' } },
    ])
    expect(await rows('1', ['a'])).toEqual({})
    expect(await rows('2', ['a'])).toEqual({ a: { project: '2', title: 'one' } })
    const read = await ada.pull(['1', '2'])
    expect(read.pages.map(page => page.parameters['project'])).toHaveLength(2)
  })

  test('to a partition that its user may not see is refused, and the backend is not called', async () => {
    const { ada, epoch, backend, rows } = await world()
    const move = mutation(1, 'update', { object: 'a', attributes: { project: '9' }, seen: 1 })
    const { body } = await ada.push('1', { epoch: epoch('1'), mutations: [move] })
    expect(body.outcomes).toMatchObject([{ status: 'refused', error: { code: 'partition_not_allowed' } }])
    expect(backend.tasks.get('a')).toEqual({ project: '1', title: 'one' })
    expect(await rows('1', ['a'])).toHaveProperty('a')
  })

  test('that the backend makes by itself is a move, too', async () => {
    const { ada, epoch, on, rows } = await world({
      update: async (_, changes) => ({ ...changes, project: '2' }) as never,
    })
    const update = mutation(1, 'update', { object: 'a', attributes: { title: 'sent on' }, seen: 1 })
    const { body } = await ada.push('1', { epoch: epoch('1'), mutations: [update] })
    expect(body.outcomes).toMatchObject([{ removed: true, moved: { project: '2' }, attributes: { title: 'sent on' } }])
    expect(await rows('1', ['a'])).toEqual({})
    // The target was not known at the start, so it is read again.
    expect(await isDue(on, '2')).toBe(true)
  })

  test('makes the new partition due if it changed the object since the start', async () => {
    const { ada, epoch, backend, on, rows } = await world()
    backend.afterWrite = async () => {
      await on.store.collections.apply(of('2'), { merge: { a: { project: '2', title: 'newer' } } })
    }
    const move = mutation(1, 'update', { object: 'a', attributes: { project: '2' }, seen: 1 })
    await ada.push('1', { epoch: epoch('1'), mutations: [move] })
    expect(await rows('2', ['a'])).toEqual({ a: { project: '2', title: 'newer' } })
    expect(await isDue(on, '2')).toBe(true)
  })

  test('leaves the old partition even if the object changed there, and makes both due', async () => {
    const { ada, epoch, backend, on, rows } = await world()
    backend.afterWrite = async () => {
      await on.store.collections.apply(of('1'), { merge: { a: { title: 'changed meanwhile' } } })
    }
    const move = mutation(1, 'update', { object: 'a', attributes: { project: '2' }, seen: 1 })
    await ada.push('1', { epoch: epoch('1'), mutations: [move] })
    expect(await rows('1', ['a'])).toEqual({})
    expect([await isDue(on, '1'), await isDue(on, '2')]).toEqual([true, true])
  })

  test('whose call has no answer makes both partitions due', async () => {
    const { ada, epoch, on } = await world({
      update: async () => {
        throw new Error('the connection is lost')
      },
    })
    const move = mutation(1, 'update', { object: 'a', attributes: { project: '2' }, seen: 1 })
    await ada.push('1', { epoch: epoch('1'), mutations: [move] })
    expect([await isDue(on, '1'), await isDue(on, '2')]).toEqual([true, true])
  })
})

async function isDue({ store }: TestServer, project: string): Promise<boolean> {
  const head = await store.collections.head(of(project))
  return head !== undefined && head.queriesRequested > head.queriesServed
}

async function refresh(on: TestServer, user: string): Promise<void> {
  const answer = await on.call('POST', `/rc/v1/users/${user}/partitions/refresh`, { headers: await on.as() })
  expect(answer.status).toBe(200)
}
