import { isJsonObject, type JsonValue, type ObjectMap } from '@godwit/protocol'
import { type BackendReply, type BackendUnderTest, type CallFaults, sendCall } from './backend-client.js'

/** The result of one check. */
export interface CheckResult {
  /** A fact in the present tense. */
  readonly name: string
  /** Why the check failed; undefined if it passed. */
  readonly failure?: string
  /** Why it was not checked. */
  readonly skipped?: string
}

/** What to check. */
export interface CheckOptions extends Omit<BackendUnderTest, 'fetch' | 'clock' | 'user' | 'partition'> {
  /** Default `ada`. */
  readonly user?: string
  /** Default: the user. */
  readonly partition?: string
  /** Attributes of an object that the suite creates, updates and deletes. Default: it writes nothing. */
  readonly attributes?: { readonly [name: string]: JsonValue }
  /** Default the global one. */
  readonly fetch?: typeof fetch
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
}

/** Checks a backend against the documented wire, and yields a result for each fact. It never throws for what a backend does. */
export async function* checkBackend({
  user = 'ada',
  partition = user,
  fetch = globalThis.fetch,
  clock = Date.now,
  attributes,
  ...options
}: CheckOptions): AsyncGenerator<CheckResult> {
  const backend = { ...options, user, partition, fetch, clock }
  const call = (operation: string, members: object = {}, faults?: CallFaults) =>
    sendCall(backend, operation, members, faults)
  yield* signatureChecks(call)
  yield* readChecks(call)
  yield* changesChecks(call)
  yield* loginChecks(call)
  if (attributes === undefined) yield { name: 'writes are applied once', skipped: 'no attributes were given' }
  else yield* writeChecks(call, attributes)
}

type Call = (operation: string, members?: object, faults?: CallFaults) => Promise<BackendReply>

/** Runs one check; what it throws is the failure. `Skip` is thrown for what a backend need not have. */
async function result(name: string, run: () => Promise<void>): Promise<CheckResult> {
  try {
    await run()
    return { name }
  } catch (error) {
    if (error instanceof Skip) return { name, skipped: error.message }
    return { name, failure: error instanceof Error ? error.message : String(error) }
  }
}

class Skip extends Error {}

class Unexpected extends Error {}

function expectThat(holds: boolean, expected: string, got: string): asserts holds {
  if (!holds) throw new Unexpected(`expected ${expected}, got ${got}`)
}

const succeeded = ({ status }: BackendReply): boolean => status >= 200 && status < 300

async function* signatureChecks(call: Call): AsyncGenerator<CheckResult> {
  const faults: readonly (readonly [string, CallFaults])[] = [
    ['a call without a signature is rejected', { isUnsigned: true }],
    ['a call signed with another secret is rejected', { secret: 'another secret of some length' }],
    ['a call signed an hour ago is rejected', { off: -3600 }],
  ]
  for (const [name, fault] of faults)
    yield await result(name, async () => {
      const { status } = await call('query', {}, fault)
      expectThat(status >= 400 && status < 500, 'a status from 400 to 499', String(status))
    })
}

async function* readChecks(call: Call): AsyncGenerator<CheckResult> {
  let all: ObjectMap = {}
  yield await result('query returns the objects of the partition', async () => {
    const reply = await call('query')
    if (reply.status === 404) throw new Skip('the backend has no query')
    all = objectsIn(reply)
  })
  yield await result('query returns the same objects again', async () => {
    const reply = await call('query')
    if (reply.status === 404) throw new Skip('the backend has no query')
    const again = Object.keys(objectsIn(reply)).length
    expectThat(again === Object.keys(all).length, `${Object.keys(all).length} objects`, String(again))
  })
  yield await result('get returns those of the objects that exist', async () => {
    const [known] = Object.keys(all)
    const ids = [...(known === undefined ? [] : [known]), 'an id that does not exist']
    const reply = await call('get', { ids })
    if (reply.status === 404) throw new Skip('the backend has no get')
    const found = Object.keys(objectsIn(reply))
    expectThat(JSON.stringify(found) === JSON.stringify(ids.slice(0, -1)), ids.slice(0, -1).join(), found.join())
  })
}

async function* changesChecks(call: Call): AsyncGenerator<CheckResult> {
  let cursor: string | undefined
  yield await result('changes from null has a cursor', async () => {
    const reply = await call('changes', { cursor: null })
    if (reply.status === 404) throw new Skip('the backend has no changes')
    cursor = cursorOf(partsIn(reply))
    expectThat(cursor !== undefined, 'a cursor in a line', 'none')
  })
  yield await result('changes goes on from that cursor', async () => {
    if (cursor === undefined) throw new Skip('there is no cursor')
    partsIn(await call('changes', { cursor }))
  })
  yield await result('an unknown cursor is answered with 410, or with everything', async () => {
    if (cursor === undefined) throw new Skip('there is no cursor')
    const reply = await call('changes', { cursor: '999999999999' })
    expectThat(reply.status === 410 || succeeded(reply), 'status 410', String(reply.status))
  })
}

async function* loginChecks(call: Call): AsyncGenerator<CheckResult> {
  yield await result('a wrong password is denied with 401 or 403', async () => {
    const { status } = await call('authenticate', { login: 'nobody of this name', password: 'wrong' })
    if (status === 404) throw new Skip('the backend has no authenticate')
    expectThat(status === 401 || status === 403, 'status 401 or 403', String(status))
  })
}

async function* writeChecks(call: Call, attributes: object): AsyncGenerator<CheckResult> {
  const key = (name: string): string => `suite-${name}-${crypto.randomUUID()}`
  let id: string | undefined
  yield await result('a repeated create makes one object', async () => {
    const create = { attributes, idempotency_key: key('create') }
    const [first, second] = [await call('create', create), await call('create', create)]
    if (first.status === 404) throw new Skip('the backend has no create')
    id = idIn(first)
    expectThat(idIn(second) === id, `the id ${id} again`, idIn(second))
  })
  yield await result('an update succeeds, repeated too', async () => {
    if (id === undefined) throw new Skip('there is no object')
    const update = { id, attributes, idempotency_key: key('update') }
    for (const reply of [await call('update', update), await call('update', update)])
      expectThat(succeeded(reply), 'a status from 200 to 299', String(reply.status))
  })
  yield await result('a delete succeeds, repeated too', async () => {
    if (id === undefined) throw new Skip('there is no object')
    for (const name of ['delete', 'delete again']) {
      const reply = await call('delete', { id, idempotency_key: key(name) })
      expectThat(succeeded(reply), 'a status from 200 to 299', String(reply.status))
    }
  })
}

function linesIn(reply: BackendReply): readonly JsonValue[] {
  expectThat(succeeded(reply), 'a status from 200 to 299', String(reply.status))
  const texts = /ndjson|jsonl/.test(reply.type)
    ? reply.text.split('\n').filter(line => line.trim() !== '')
    : [reply.text]
  return texts.map(text => JSON.parse(text) as JsonValue)
}

function objectsIn(reply: BackendReply): ObjectMap {
  const all: Record<string, JsonValue> = {}
  for (const line of linesIn(reply)) {
    expectThat(isJsonObject(line), 'an object map', JSON.stringify(line).slice(0, 80))
    for (const [id, attributes] of Object.entries(line)) {
      expectThat(
        id !== '' && isJsonObject(attributes),
        'attributes by id',
        JSON.stringify({ [id]: attributes }).slice(0, 80),
      )
      all[id] = attributes
    }
  }
  return all as ObjectMap
}

function partsIn(reply: BackendReply): readonly { readonly [name: string]: JsonValue | undefined }[] {
  return linesIn(reply).map(line => {
    expectThat(isJsonObject(line), 'lines { objects, removed, cursor }', JSON.stringify(line).slice(0, 80))
    const { objects = {}, removed = [], cursor } = line as { readonly [name: string]: JsonValue | undefined }
    expectThat(isJsonObject(objects), 'objects by id', JSON.stringify(objects).slice(0, 80))
    expectThat(Array.isArray(removed), 'removed to be a list', JSON.stringify(removed).slice(0, 80))
    expectThat(
      cursor === undefined || (typeof cursor === 'string' && cursor !== ''),
      'a cursor that is text',
      typeof cursor,
    )
    return line as { readonly [name: string]: JsonValue | undefined }
  })
}

const cursorOf = (parts: readonly { readonly [name: string]: JsonValue | undefined }[]): string | undefined => {
  const last = parts.findLast(({ cursor }) => cursor !== undefined)?.['cursor']
  return typeof last === 'string' ? last : undefined
}

function idIn(reply: BackendReply): string {
  expectThat(succeeded(reply), 'a status from 200 to 299', `${reply.status} ${reply.text.slice(0, 80)}`)
  const answer = reply.type.startsWith('text/plain') ? reply.text.trim() : (JSON.parse(reply.text) as JsonValue)
  const id = isJsonObject(answer) ? answer['id'] : answer
  expectThat(typeof id === 'string' || typeof id === 'number', 'an id', JSON.stringify(answer).slice(0, 80))
  return String(id)
}
