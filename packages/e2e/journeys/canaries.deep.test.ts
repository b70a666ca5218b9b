import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { API_TOKEN_HEADER, CLIENT_ID_HEADER, type RouteLine, routes } from '@godwit/protocol'
import { createSyncServer, defineSource, type Log } from '@godwit/server'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { Canaries } from '../harness/canaries.js'
import { type BackendBehaviour, echoingBackend } from '../harness/echoing-backend.js'
import { temporaryFolder } from '../harness/stores.js'

/** Secrets, which must not appear in logs, errors or the database. */
const secrets = new Canaries()
/** Users' data, which may be in the database and in responses to authorized callers, but never in logs. */
const contents = new Canaries()

const passwords = {
  admin: secrets.make('admin-password'),
  ada: secrets.make('ada-password'),
  adaLater: secrets.make('later-password'),
  olga: secrets.make('operator-password'),
  plugin: secrets.make('plugin-password'),
  guest: secrets.make('guest-password'),
  wrong: secrets.make('wrong-password'),
}
const hmacSecret = secrets.make('backend-secret')
const encryptionKey = secrets.make('encryption-key')
const pin = contents.make('device-pin')
const team = contents.make('attribute-of-authenticate')
const note = contents.make('note')

interface HttpAnswer {
  readonly what: string
  readonly status: number
  readonly text: string
}

const folder = temporaryFolder()
const logged: string[] = []
const answers: HttpAnswer[] = []
const line =
  (level: string) =>
  (facts: object, message: string): void =>
    void logged.push(JSON.stringify({ level, ...facts, message }))
// All log levels, including those of other loggers.
const log: Log & { trace: Log['debug'] } = {
  error: line('error'),
  warn: line('warn'),
  info: line('info'),
  debug: line('debug'),
  trace: line('trace'),
}

let broken = false
const own = (): undefined => {
  if (broken) throw new Error('The backend of the source broke.')
  return undefined
}
const Note = defineSource({
  name: 'Note',
  pollInterval: 0,
  query: () => own() ?? {},
  create: own,
  update: own,
  delete: own,
  search: () => own() ?? {},
  login: own,
})
const Plugged = defineSource({ name: 'Plugged', pollInterval: 0, timeout: 1, queryTimeout: 1 })

let url = ''
let close = async (): Promise<void> => {}
let backend: Awaited<ReturnType<typeof echoingBackend>>

beforeAll(async () => {
  mkdirSync(join(folder.path, 'server'))
  const store = await openSqliteStore(join(folder.path, 'server/godwit.sqlite'))
  backend = await echoingBackend({ attributes: { team } })
  const server = createSyncServer({
    store,
    sources: [Note, Plugged],
    admin: { login: 'admin', password: passwords.admin },
    users: [{ login: 'ada', password: passwords.ada }],
    backend: { secret: hmacSecret },
    allowPrivateBackends: true,
    resetAllowed: true,
    pushProviders: { apns: { send: (_, target) => Promise.reject(new Error(`No route to ${target.pin}`)) } },
    limits: { passwordCost: 16, pushWait: 1, loginWait: 1 },
    log,
  })
  const listening = await server.listen({ port: 0 })
  url = listening.url
  close = async () => {
    await server.close()
    await store.close()
  }
})
afterAll(async () => {
  await close()
  await backend.close()
  folder.remove()
})

type Headers = Readonly<Record<string, string>>

async function send(method: string, path: string, headers: Headers, body?: string): Promise<HttpAnswer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(20_000)
  const answer = await fetch(url + path, { method, headers: { ...type, ...headers }, signal, ...(body && { body }) })
  // An event stream never ends, so only its status and headers are checked.
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await answer.body?.cancel()
  const answered = { what: `${method} ${path}`, status: answer.status, text: isStream ? '' : await answer.text() }
  answers.push(answered)
  return answered
}

const call = (method: string, path: string, headers: Headers, body?: unknown): Promise<HttpAnswer> =>
  send(method, path, headers, body === undefined ? undefined : JSON.stringify(body))

async function tokenOf(login: string, password: string): Promise<Headers> {
  const { text } = await call('POST', '/rc/v1/system/login', {}, { login, password })
  answers.pop()
  return { [API_TOKEN_HEADER]: secrets.watch(`token of ${login}`, text) }
}

async function deviceOf(login: string, password: string): Promise<Headers> {
  const { text } = await call('POST', '/rc/v1/app/login', {}, { login, password })
  answers.pop()
  const bearer = { authorization: `Bearer ${secrets.watch(`session of ${login}`, JSON.parse(text).session)}` }
  const { client } = JSON.parse((await call('POST', '/rc/v1/clients', bearer, {})).text)
  return { ...bearer, [CLIENT_ID_HEADER]: client.client_id }
}

/** Returns valid, mistyped and truncated bodies. Secrets are only in fields for secrets, which must not be stored as text. */
function bodies(): readonly string[] {
  const text = contents.all.join(' ')
  const members = 'login password attributes data session token adapter_url user_id objects delete_data mutations epoch'
  const wrong = (value: unknown) => Object.fromEntries(members.split(' ').map(name => [name, value]))
  const { ada, wrong: guessed } = passwords
  return [
    JSON.stringify({ login: 'nobody', password: guessed, attributes: { login: 'ada', password: guessed } }),
    JSON.stringify({ user_id: 'ada', objects: { id: { text } }, data: { id: { text } }, delete_data: {} }),
    JSON.stringify({ sources: ['Note', 'Plugged'], search: text, message: text, user_id: 'ada' }),
    JSON.stringify({ attributes: { login: 'ada', password: { [ada]: ada } } }),
    JSON.stringify({ password: [ada], login: 1, attributes: { password: 5, login: null } }),
    JSON.stringify({ login: 'ada', password: secrets.all.join(' ').repeat(10) }),
    JSON.stringify(wrong([text])),
    JSON.stringify(wrong({ [text]: text })),
    `{"password":"${ada}`,
    `{"password":${ada}}`,
    `"${ada}" ${ada}`,
  ]
}

const lines: readonly RouteLine[] = Object.values(routes).flatMap(group => Object.values<RouteLine>(group))

/** Calls every route except the reset, with inputs that may make it reveal too much. */
async function drive(callers: readonly Headers[], client: string): Promise<void> {
  for (const { method, path } of lines) {
    if (path.endsWith('/reset')) continue
    const names = {
      client_id: client,
      source_name: 'Plugged',
      source_id: 'Note',
      user_id: 'ada',
      partition_type: 'user',
    }
    const at = path.replace(/<([^>]+)>/g, (_, name: string) => (names as Record<string, string>)[name] ?? 'none')
    const keeps = method === 'DELETE' || (method === 'POST' && path === '/rc/v1/app/logout')
    const query = secrets.all.map((secret, index) => `s${index}=${secret}&token=${secret}`).join('&')
    for (const caller of keeps ? [{}] : callers) {
      if (method === 'GET') {
        await call('GET', at, caller)
        await call('GET', `${at}?api_token=${passwords.admin}&${query}`, caller)
      } else for (const body of bodies()) await send(method, at, caller, body)
    }
  }
}

// The tests send thousands of requests.
jest.setTimeout(60_000)

describe('no secret is disclosed', () => {
  let admin: Headers
  let ada: Headers

  test('by any route, whatever fails', async () => {
    admin = await tokenOf('admin', passwords.admin)
    await call('POST', '/rc/v1/users', admin, {
      attributes: { login: 'olga', password: passwords.olga },
      role: 'operator',
    })
    await call('POST', '/rc/v1/users', admin, {
      attributes: { login: 'plug', password: passwords.plugin },
      role: 'plugin',
    })
    const callers = [await tokenOf('olga', passwords.olga), await tokenOf('plug', passwords.plugin)]
    ada = await deviceOf('ada', passwords.ada)
    const client = ada[CLIENT_ID_HEADER] ?? ''
    const registration = { device_type: 'apple', device_pin: pin, device_port: 1 }
    expect((await call('POST', `/rc/v1/clients/${client}/register`, ada, registration)).status).toBe(200)
    await call('POST', '/app/v1/Note/push_objects', admin, { user_id: 'ada', objects: { a: { note } } })
    await drive([{}, ada, ...callers, admin], client)
    expect(answers.length).toBeGreaterThan(1000)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 403, 404, 409, 422, 429]))
  })

  test('while sources fail, and a backend echoes what it receives', async () => {
    expect((await call('POST', '/rc/v1/system/appserver', admin, { adapter_url: backend.url })).status).toBe(200)
    const guest = await deviceOf('guest', passwords.guest)
    let number = 0
    for (const manner of [
      'fine',
      'refuses',
      'fails',
      'garbage',
      'no map',
    ] as const satisfies readonly BackendBehaviour[]) {
      backend.behave(manner)
      broken = manner !== 'fine'
      await call('POST', '/rc/v1/app/login', {}, { login: 'other', password: passwords.guest })
      if (manner === 'fine') answers.pop()
      for (const source of ['Note', 'Plugged']) {
        const { epoch } = JSON.parse((await call('GET', `/app/v1/${source}`, guest)).text)
        const mutation = {
          number: number + 1,
          key: `a key of sixteen ${number}`,
          operation: 'create',
          object: `t${number}`,
        }
        await call('POST', `/app/v1/${source}`, guest, {
          epoch,
          acknowledged: 0,
          mutations: [{ ...mutation, attributes: { note } }],
        })
      }
      number++
      await call('POST', '/rc/v1/app/search', guest, { sources: ['Note', 'Plugged'], search: note })
      await call('POST', '/rc/v1/users/ping', admin, { user_id: ['ada', 'guest'], sources: ['Note'], message: note })
      const requested = 'source=Note&user=guest&object=t0'
      for (const path of [
        `explain?${requested}`,
        'mutations',
        'mutations?state=queued',
        'system/tokens',
        'users/guest',
      ])
        await call('GET', `/rc/v1/${path}`, admin)
    }
    expect(logged.some(text => text.includes('a query failed'))).toBe(true)
  })

  test('by a device that syncs, whose files are encrypted', async () => {
    await call('POST', '/rc/v1/system/appserver', admin, { adapter_url: null })
    broken = false
    const directory = join(folder.path, 'device')
    const models = { Note: defineModel('Note', { sync: 'incremental', attributes: { note: t.string() } }) }
    const sdk = await openSdk({ directory, server: url, models, encryptionKey })
    sdk.pollInterval = 0
    await sdk.login('ada', passwords.ada)
    sdk.models.Note.create({ note })
    await sdk.sync()
    const unsent = sdk.models.Note.create({ note })
    expect(sdk.models.Note.get(unsent.id)?.note).toBe(note)
    const dump = JSON.stringify(sdk.debug())
    expect([secrets.foundIn(dump), contents.foundIn(dump)]).toEqual([[], []])
    expect(secrets.foundIn(JSON.stringify(sdk.debug({ values: true })))).toEqual([])
    const inFiles = () => [...secrets.foundInFiles(directory), ...contents.foundInFiles(directory)]
    expect(inFiles()).toEqual([])
    await sdk.close()
    expect(inFiles()).toEqual([])
  })

  test('when passwords and roles change, and users and tokens go', async () => {
    await call('PUT', '/rc/v1/users/ada', admin, { attributes: { password: passwords.adaLater } })
    await call('POST', '/rc/v1/app/login', {}, { login: 'ada', password: passwords.ada })
    const later = await deviceOf('ada', passwords.adaLater)
    await call('POST', '/rc/v1/app/logout', later, {})
    await call('DELETE', '/rc/v1/users/olga', admin)
    expect((await call('POST', '/rc/v1/system/reset', admin, {})).status).toBe(200)
  })

  test('in logs, which hold no data either', () => {
    expect(logged.length).toBeGreaterThan(5)
    const found = logged.flatMap(text =>
      [...secrets.foundIn(text), ...contents.foundIn(text)].map(name => [name, text]),
    )
    expect(found).toEqual([])
  })

  test('in answers, whatever their status', () => {
    const found = answers.flatMap(({ what, status, text }) =>
      secrets.foundIn(text).map(name => `${status} ${what.slice(0, 60)}: ${name} in ${text.slice(0, 300)}`),
    )
    expect(found.slice(0, 5)).toEqual([])
  })

  test('in the files of the server, open or closed', async () => {
    const place = join(folder.path, 'server')
    expect(secrets.foundInFiles(place)).toEqual([])
    await close()
    close = async () => {}
    expect(secrets.foundInFiles(place)).toEqual([])
  })
})
