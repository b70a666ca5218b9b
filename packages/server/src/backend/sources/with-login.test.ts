import type { Attributes, Page, PushOutcomes, SearchResults } from '@godwit/protocol'
import { defineSource, failure, type Log, type SourceDefinition } from '@godwit/source'
import { expect, jest, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

/** Records the calls of a source in a pull, a search and a push of one device. */
async function heard(definition: Partial<SourceDefinition<Attributes>> = {}, log?: Log) {
  const calls: string[] = []
  const note =
    (name: string) =>
    ({ user }: { user: string }): void =>
      void calls.push(`${name} ${user}`)
  const Visit = defineSource<Attributes>({
    name: 'Visit',
    pollInterval: 0,
    login: note('login'),
    logoff: note('logoff'),
    query(context) {
      note('query')(context)
      return {}
    },
    search(_, context) {
      note('search')(context)
      return {}
    },
    create(_, context) {
      note('create')(context)
      return 'real'
    },
    ...definition,
  })
  const on = openServer({ sources: [Visit], ...(log && { log }) })
  const { headers } = await on.device('ada')
  const take = () => calls.splice(0)
  const page = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers }))
  const pulled = take()
  const body = { sources: ['Visit'], search: 'x' }
  const found = await json<SearchResults>(await on.call('POST', '/rc/v1/app/search', { headers, body }))
  const searched = take()
  const mutation = { number: 1, key: 'a key of sixteen', operation: 'create', object: 't1', attributes: {} }
  const push = { epoch: page.epoch, acknowledged: 0, mutations: [mutation] }
  const { outcomes } = await json<PushOutcomes>(await on.call('POST', '/app/v1/Visit', { headers, body: push }))
  return { page, found, outcomes, pulled, searched, pushed: take() }
}

test('every call is between its login and its logoff', async () => {
  const { pulled, searched, pushed } = await heard()
  expect(pulled).toEqual(['login ada', 'query ada', 'logoff ada'])
  expect(searched).toEqual(['login ada', 'search ada', 'logoff ada'])
  expect(pushed).toEqual(['login ada', 'create ada', 'logoff ada'])
})

test('a failed call is followed by a logoff, a failed login is not', async () => {
  const fail = (): never => {
    throw failure('no')
  }
  const both = ['login ada', 'logoff ada']
  expect(await heard({ search: fail, create: fail })).toMatchObject({ searched: both, pushed: both })
  expect(await heard({ query: fail })).toMatchObject({ pulled: both })
  expect(await heard({ login: fail })).toMatchObject({
    page: { source_error: { message: 'no' } },
    found: { results: { Visit: { error: { message: 'no' } } } },
    outcomes: [{ status: 'queued' }],
    pulled: [],
    searched: [],
    pushed: [],
  })
})

test('a logoff that fails or hangs loses no result', async () => {
  const warn = jest.fn()
  const nothing = (): void => {}
  const log = { error: nothing, warn, info: nothing, debug: nothing }
  const broken = await heard({ logoff: () => Promise.reject(new Error('The line is dead.')) }, log)
  expect(broken.outcomes).toMatchObject([{ status: 'applied', link: 'real' }])
  expect(warn).toHaveBeenCalledWith({ source: 'Visit', error: 'The line is dead.' }, 'logoff of a source failed')
  const hanging = await heard({ logoff: () => new Promise(() => {}), timeout: 0.05, queryTimeout: 0.05 })
  expect(hanging.outcomes).toMatchObject([{ status: 'applied', link: 'real' }])
  expect(hanging.page).not.toHaveProperty('source_error')
})
