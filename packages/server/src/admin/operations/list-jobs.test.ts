import type { Attributes, JobInfo, Page, UndecidedMutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryJobs } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'

const PATH = '/rc/v1/system/jobs'

test('lists waiting, running and dead jobs, by queue and state, in pages', async () => {
  const jobs = openMemoryJobs()
  const on = openServer({ jobs, limits: { jobConcurrency: 0 } })
  const headers = await on.as()
  const asked = async (query = ''): Promise<readonly JobInfo[]> => json(await on.call('GET', PATH + query, { headers }))
  const data = { source: 'City', partition: '*', secret: 'words of a ping' }
  await jobs.enqueue({ queue: 'reads', id: 'city', kind: 'query', data, delay: 3_600_000 })
  await jobs.enqueue({ queue: 'mail', id: 'dies', kind: 'nobody knows it', data: null, attempts: 1 })
  const worker = await jobs.work(
    async () => {
      throw new Error('the printer is out of paper')
    },
    { queues: ['mail'] },
  )
  await until(async () => (await asked('?state=dead')).length > 0)
  const [dead, waiting] = await asked()
  expect(dead).toMatchObject({ queue: 'mail', state: 'dead', attempts: 1, reason: 'the printer is out of paper' })
  expect(waiting).toEqual({
    id: expect.any(String),
    queue: 'reads',
    kind: 'query',
    state: 'waiting',
    attempts: 0,
    due_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    reason: null,
    source: 'City',
    partition: '*',
  })
  expect(await asked('?queue=reads')).toEqual([waiting])
  expect(await asked('?limit=1')).toEqual([dead])
  expect(await asked(`?after=${dead?.id}`)).toEqual([waiting])
  expect(await failure(await on.call('GET', `${PATH}?after=nothing`, { headers }))).toBe('422 value_not_allowed')
  await worker.close()
  await on.server.close()
})

test('an operator sees jobs and undecided mutations, decides the latter and asks for explanations', async () => {
  const create = () => {
    throw new Error('no answer')
  }
  const on = openServer({ sources: [defineSource<Attributes>({ name: 'Note', pollInterval: -1, create })] })
  const operator = { attributes: { login: 'olga', password: 'a long one' }, role: 'operator' }
  await on.call('POST', '/rc/v1/users', { headers: await on.as(), body: operator })
  const headers = await on.as('olga', 'a long one')
  const ada = await on.device('ada')
  const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: ada.headers }))
  const mutation = (number: number) => ({
    number,
    key: `key-of-mutation-${number}`,
    operation: 'create',
    object: `t${number}`,
    attributes: {},
  })
  const body = { epoch, acknowledged: 0, mutations: [mutation(1), mutation(2)] }
  await on.call('POST', '/app/v1/Note', { headers: ada.headers, body })
  const undecided = async (): Promise<readonly UndecidedMutation[]> =>
    json(await on.call('GET', '/rc/v1/mutations', { headers }))
  expect((await undecided()).map(({ state }) => state)).toEqual(['in_doubt', 'in_doubt'])
  const [one, two] = await undecided()
  const status = async (method: string, path: string) => (await on.call(method, path, { headers })).status
  expect(await status('POST', `/rc/v1/mutations/${one?.id}/discard`)).toBe(200)
  expect(await status('POST', `/rc/v1/mutations/${two?.id}/retry`)).toBe(200)
  expect(await status('GET', PATH)).toBe(200)
  expect(await status('GET', '/rc/v1/explain?source=Note&user=ada&object=t1')).toBe(200)
  await on.server.close()
})
