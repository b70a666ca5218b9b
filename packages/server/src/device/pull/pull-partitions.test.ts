import type { PartitionPages } from '@godwit/protocol'
import { describe, expect, test } from '@jest/globals'
import { openProjects } from '../../testing/projects.fixture.js'

describe('a pull of partitions', () => {
  test('gives a page for each partition, and the list of the user with heads', async () => {
    const { device } = openProjects()
    const ada = await device('ada')
    const answer = await ada.pull(['1', '2'])
    expect(answer.by).toEqual(['project'])
    expect(answer.pages).toHaveLength(2)
    const byProject = new Map(answer.pages.map(page => [page.parameters['project'], page]))
    expect(byProject.get('1')).toMatchObject({
      insert: { a: { project: '1', title: 'one' } },
      status: 'ok',
      ends: true,
    })
    expect(byProject.get('2')).toMatchObject({ insert: { b: { project: '2', title: 'two' } } })
    expect(answer.partitions).toEqual([
      { parameters: { project: '1' }, head: 1, epoch: expect.any(String) },
      { parameters: { project: '2' }, head: 1, epoch: expect.any(String) },
    ])
  })

  test('each partition has its own token, and continues by it', async () => {
    const { device, backend, on } = openProjects()
    const ada = await device('ada')
    const first = await ada.page('1')
    const other = await ada.page('2')
    expect(first['epoch']).not.toBe(other['epoch'])
    backend.tasks.set('c', { project: '1', title: 'new' })
    await on.store.collections.requestQuery({ source: 'Task', partition: 'by:{"project":"1"}' })
    expect(await ada.page('1', { token: first['token'] as string })).toMatchObject({
      insert: { c: { title: 'new' } },
      count: 1,
    })
    expect(await ada.page('2', { token: other['token'] as string })).toMatchObject({ count: 0, ends: true })
  })

  test('a user shares the collection of a partition with the others who may see it', async () => {
    const { device, backend } = openProjects()
    const [ada, eve] = [await device('ada'), await device('eve')]
    expect((await ada.page('2'))['epoch']).toBe((await eve.page('2'))['epoch'])
    expect(backend.queries).toEqual(['2'])
  })

  test('a partition that the user may not see is refused alone', async () => {
    const { device } = openProjects()
    const eve = await device('eve')
    const { pages, partitions } = await eve.pull(['1', '2'])
    expect(pages).toContainEqual({
      parameters: { project: '1' },
      error: { code: 'partition_not_allowed', message: expect.any(String) },
    })
    expect(pages).toContainEqual(expect.objectContaining({ parameters: { project: '2' }, status: 'ok' }))
    expect(partitions.map(({ parameters }) => parameters)).toEqual([{ project: '2' }])
  })

  test('access that is withdrawn ends with the cache, and a grant holds at once', async () => {
    let now = Date.now()
    const { device, backend } = openProjects({}, { clock: () => now })
    const eve = await device('eve')
    expect(await eve.page('1')).toHaveProperty('error')
    backend.member('eve', '1')
    expect(await eve.page('1')).toHaveProperty('epoch')
    backend.member('eve')
    expect(await eve.page('1')).toHaveProperty('epoch')
    now += 10_001
    expect(await eve.page('1')).toMatchObject({ error: { code: 'partition_not_allowed' } })
  })

  test('`allow` decides beyond the list', async () => {
    const { device } = openProjects({ allow: async ({ parameters }) => parameters['project'] === '3' })
    const ada = await device('ada')
    expect(await ada.page('3')).toMatchObject({ status: 'ok' })
    expect(await ada.page('1')).toMatchObject({ error: { code: 'partition_not_allowed' } })
  })

  test('an object that a source delivers for a partition that it does not name is dropped, with a warning', async () => {
    const warnings: unknown[] = []
    const log = { error() {}, warn: (...line: unknown[]) => void warnings.push(line), info() {}, debug() {} }
    const { device } = openProjects(
      {
        query: async () => ({
          a: { project: '1', title: 'here' },
          b: { project: '2', title: 'elsewhere' },
          c: { title: 'nowhere' } as never,
        }),
      },
      { log },
    )
    const ada = await device('ada')
    expect(await ada.page('1')).toMatchObject({ insert: { a: { title: 'here' } }, count: 1 })
    expect(warnings).toContainEqual([
      expect.objectContaining({ source: 'Task', partition: 'by:{"project":"1"}', dropped: 2, object: 'b' }),
      expect.stringContaining('expected project to name it'),
    ])
  })

  test('a failing or slow partition holds up no other', async () => {
    const { device, backend } = openProjects()
    backend.failing.add('1')
    const { promise, resolve } = Promise.withResolvers<void>()
    backend.slow.set('3', promise)
    backend.member('ada', '1', '2', '3')
    const ada = await device('ada')
    const { pages } = await ada.pull(['3', '1', '2'])
    const byProject = new Map(pages.map(page => [page.parameters['project'], page]))
    expect(byProject.get('2')).toMatchObject({ insert: { b: {} } })
    expect(byProject.get('1')).toMatchObject({ source_error: { code: 'backend_failed' } })
    expect(byProject.get('3')).toEqual({ parameters: { project: '3' }, more: true })
    resolve()
    expect(await ada.page('3')).toMatchObject({ status: 'ok' })
  })

  test('parameters that do not fit `by`, and partitions over the limit, are errors of their own', async () => {
    const { device, backend } = openProjects({}, { limits: { partitionsPerClient: 1 } })
    backend.member('ada', '1', '2')
    const ada = await device('ada')
    const answer = await ada.pulls({
      pulls: [{ parameters: { project: '1' } }, { parameters: { region: 'x' } }, { parameters: { project: '2' } }],
    })
    const { pages } = (await answer.json()) as { pages: { error?: { code: string } }[] }
    expect(pages.map(({ error }) => error?.code)).toEqual(['value_not_allowed', 'quota_exceeded', undefined])
  })

  test('a source with `by` is not pulled without partitions, nor another one with them', async () => {
    const { on, device } = openProjects()
    const ada = await device('ada')
    const plain = await on.call('GET', '/app/v1/Task', { headers: ada.headers })
    expect(plain.status).toBe(422)
    expect(await plain.json()).toMatchObject({ code: 'value_not_allowed', detail: expect.stringContaining('project') })
  })

  test('objects and versions are those of one partition, and of no other user', async () => {
    const { on, device } = openProjects()
    const [ada, eve] = [await device('ada'), await device('eve')]
    await ada.pull(['1'])
    const path = `/app/v1/Task/versions?parameters=${encodeURIComponent('{"project":"1"}')}`
    expect(await (await on.call('GET', path, { headers: ada.headers })).json()).toMatchObject({ versions: { a: 1 } })
    expect((await on.call('GET', path, { headers: eve.headers })).status).toBe(403)
    const body = { ids: ['a'], parameters: { project: '1' } }
    const objects = await on.call('POST', '/app/v1/Task/objects', { headers: ada.headers, body })
    expect(await objects.json()).toMatchObject({ objects: { a: { title: 'one' } } })
    expect((await on.call('POST', '/app/v1/Task/objects', { headers: eve.headers, body })).status).toBe(403)
    const bare = await on.call('POST', '/app/v1/Task/objects', { headers: ada.headers, body: { ids: ['a'] } })
    expect(bare.status).toBe(422)
  })

  test('200 unchanged partitions are read without a query', async () => {
    const { device, backend } = openProjects()
    const projects = Array.from({ length: 200 }, (_, index) => `p${index}`)
    backend.member('ada', ...projects)
    const ada = await device('ada')
    const tokens = new Map<string, string>()
    for (let left = projects; left.length > 0; left = projects.filter(project => !tokens.has(project))) {
      const { pages } = await ada.pull(left)
      for (const page of pages) if ('epoch' in page) tokens.set(String(page.parameters['project']), page.token)
    }
    const asked = backend.queries.length
    const read = new Set<string>()
    while (read.size < projects.length) {
      const left = projects.filter(project => !read.has(project))
      const pulls = left.map(project => ({ parameters: { project }, token: tokens.get(project) }))
      const { pages } = (await (await ada.pulls({ pulls })).json()) as PartitionPages
      for (const page of pages) if ('epoch' in page) read.add(String(page.parameters['project']))
    }
    expect(backend.queries).toHaveLength(asked)
  })

  test('a device that leaves a partition no longer holds its floor', async () => {
    const { device, on } = openProjects({}, { limits: { positionInterval: 0 } })
    const ada = await device('ada')
    const partition = { source: 'Task', partition: 'by:{"project":"1"}' }
    const { token } = (await ada.page('1')) as { token: string }
    await ada.page('1', { token })
    await until(async () => (await on.store.collections.readers(partition)).length === 1)
    await ada.pulls({ pulls: [{ parameters: { project: '2' } }], subscribed: true })
    expect(await on.store.collections.readers(partition)).toEqual([])
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(resolve => setTimeout(resolve, 5))
}
