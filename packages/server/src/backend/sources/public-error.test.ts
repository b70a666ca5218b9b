import type { Attributes, Page, PushOutcomes, SearchResults } from '@godwit/protocol'
import { defineSource, failure, refusal, type SourceDefinition } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { silentLog } from '../../base/log.js'
import { json, openServer } from '../../testing/open-server.js'

const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432 as sync_user'

/** Returns what a device gets from a source that fails in a pull, a search and a push, with the log. */
async function heard(fail: () => never, definition: Partial<SourceDefinition<Attributes>> = {}) {
  const lines: { readonly id?: string; readonly error?: string }[] = []
  const note = (line: object): void => void lines.push(line)
  const Visit = defineSource<Attributes>({ name: 'Visit', query: fail, search: fail, create: fail, ...definition })
  const on = openServer({ sources: [Visit], log: { ...silentLog, warn: note, debug: note } })
  const { headers } = await on.device('ada')
  const { epoch, source_error } = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers }))
  const body = { sources: ['Visit'], search: 'x' }
  const found = await json<SearchResults>(await on.call('POST', '/rc/v1/app/search', { headers, body }))
  const mutation = { number: 1, key: 'a key of sixteen', operation: 'create', object: 't1', attributes: {} }
  const push = { epoch, acknowledged: 0, mutations: [mutation] }
  const pushed = await json<PushOutcomes>(await on.call('POST', '/app/v1/Visit', { headers, body: push }))
  return { lines, source_error, searched: found.results['Visit']?.error, outcome: pushed.outcomes[0] }
}

test('an error of a source reaches devices only as an id that is in the log', async () => {
  const { lines, source_error, searched } = await heard(() => {
    throw Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })
  })
  for (const error of [source_error, searched]) {
    expect(error).toMatchObject({ code: 'backend_failed', message: expect.stringContaining('with the id') })
    const id = / id (.+)\.$/.exec(error?.message ?? '')?.[1]
    expect(lines.find(line => line.id === id)).toMatchObject({ error: SECRET, source: 'Visit' })
  }
})

test('an error that a source declares for users reaches them', async () => {
  const said = await heard(() => {
    throw failure('The warehouse is being counted until 8.')
  })
  const error = { code: 'backend_failed', message: 'The warehouse is being counted until 8.' }
  expect(said).toMatchObject({ source_error: error, searched: error })
  const refused = await heard(() => {
    throw refusal('Not on Sundays.')
  })
  expect(refused).toMatchObject({ source_error: { code: 'refused', message: 'Not on Sundays.' } })
})

test('a mutation whose write or login fails reports no more', async () => {
  const fail = (): never => {
    throw new Error(SECRET)
  }
  const query = () => ({})
  const writes = await heard(fail, { query })
  expect(writes.outcome).toMatchObject({
    status: 'in_doubt',
    error: { message: expect.stringContaining('with the id') },
  })
  const logins = await heard(fail, { query, pollInterval: -1, login: fail })
  expect(logins.outcome).toMatchObject({ status: 'refused', error: { code: 'refused' } })
  for (const { outcome, lines } of [writes, logins]) {
    expect(JSON.stringify(outcome)).not.toContain('10.0.0.5')
    expect(lines.filter(({ error }) => error === SECRET).length).toBeGreaterThan(0)
  }
})

test('a value that is not JSON is reported with object and attribute, and changes nothing', async () => {
  const query = () => ({ p1: { title: 'Emma' }, p2: { photo: Buffer.from('bytes') } }) as never
  const { source_error } = await heard(
    () => {
      throw new Error()
    },
    { query, search: query },
  )
  expect(source_error?.message).toContain('the object "p2", of which "photo" is a Buffer')
})
