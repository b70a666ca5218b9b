import { readFileSync } from 'node:fs'
import { API_TOKEN_HEADER, type RouteLine, routes } from '@godwit/protocol'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { JSON_TYPE } from './world.js'

/** Limit of the event loop's processor time for one request without credentials, in milliseconds. */
const MAX_CPU_TIME = 5
/** Timeout of a request that waits for its turn, in milliseconds. */
const MAX_WAIT = 100
const REQUESTS = 5
/** Maximum number of batches, of which the cheapest counts: others may include compilation, garbage collection or memory that is used for the first time. */
const BATCHES = 30

/** Linux's file with the running time of a process's main thread. */
const runs = (pid: number): string => `/proc/${pid}/task/${pid}/schedstat`
const isPossible = canRead(runs(process.pid))
if (!isPossible) process.stderr.write('The cost of requests is not measured: it takes the schedstat of Linux.\n')
const testHere = isPossible ? test.each : test.skip.each

function canRead(path: string): boolean {
  try {
    return readFileSync(path, 'utf8') !== ''
  } catch {
    return false
  }
}

/** Pages without authentication, in addition to the route table. */
const PAGES = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/console', '/console/', '/nowhere']

const pathOf = ({ path }: RouteLine): string => path.replace(/<source_\w+>/, 'Note').replace(/<[^>]+>/g, 'none')

const DOORS: readonly (readonly [method: string, path: string])[] = [
  ...Object.values(routes)
    .flatMap(lines => Object.values<RouteLine>(lines))
    .map(line => [line.method, pathOf(line)] as const),
  ...PAGES.map(page => ['GET', page] as const),
]

const many = (text: string, times: number): string => text.repeat(times)

/** The size limits of bodies, in bytes: of logins, and of all other routes. */
const SIZES = [16 * 1024 - 64, 1024 * 1024]

const BODIES: { readonly [kind: string]: (size: number) => string } = {
  'a long text': size => `{"login":"${many('a', size)}","password":"x"}`,
  escapes: size => `{"login":"${many('\\u0061', size / 6)}","password":"x"}`,
  quotes: size => `{"login":"${many('\\"', size / 2)}","password":"x"}`,
  'deep lists': size => `${many('[', size / 2)}${many(']', size / 2)}`,
  'many lists': size => `[${many('[],', size / 3)}[]]`,
  digits: size => `{"login":${many('9', size)}}`,
  'numbers beyond a double': size => `{"login":[${many('1e400,', size / 6)}1]}`,
  'many members': size => `{${Array.from({ length: size / 12 }, (_, n) => `"m${n}":1`).join(',')}}`,
}

const HEADERS: { readonly [kind: string]: Readonly<Record<string, string>> } = {
  'no header': {},
  'an unknown token': { [API_TOKEN_HEADER]: many('x', 4000) },
  'an unknown session': { authorization: `Bearer ${many('x', 4000)}` },
  'many cookies': { cookie: many('sync_session=%41;', 600) },
  'many addresses': { 'x-forwarded-for': many('::ffff:1.2.3.4, ', 500), forwarded: many('for="[::1]:1";', 300) },
}

const QUERIES: { readonly [kind: string]: string } = {
  'many parameters': many('a=b&', 1500),
  'coded parameters': `p_size=${many('%41', 2000)}`,
  'one parameter again': many('token=%7b&', 600),
}

/** Returns the bodies for a route. Without credentials, only logins read a body; for other routes, one kind shows that they do not. */
function bodiesFor(method: string, path: string): readonly (readonly [string, () => Promise<void>])[] {
  if (method === 'GET') return []
  const kinds = Object.entries(BODIES).slice(0, path.endsWith('/login') ? undefined : 1)
  return kinds.flatMap(([kind, make]) =>
    SIZES.map(size => {
      const body = make(Math.floor(size))
      return [`${kind} of ${body.length} bytes`, () => ask(method, path, { headers: JSON_TYPE, body })] as const
    }),
  )
}

let server: ServerProcess
beforeAll(async () => {
  const environment = { SYNC_LOG_LEVEL: 'error' }
  server = await startServer({ store: 'memory:', config: 'flooded-notes.mjs', environment })
})
afterAll(endAll)

/** Returns the running time of the event loop's thread so far, in milliseconds. */
const ran = (): number => Number(readFileSync(runs(server.child.pid ?? 0), 'utf8').split(' ')[0]) / 1e6

/** Returns the processor time of a request in milliseconds: the minimum of all batches, since disturbances only add to it. */
async function costOf(request: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < BATCHES && least > MAX_CPU_TIME / 2; batch++) {
    const before = ran()
    for (let n = 0; n < REQUESTS; n++) await request()
    least = Math.min(least, (ran() - before) / REQUESTS)
  }
  return least
}

/** Sends a request and reads its response. Closed connections and delayed logins count too. */
async function ask(method: string, path: string, init: RequestInit = {}): Promise<void> {
  const answering = AbortSignal.timeout(MAX_WAIT)
  await fetch(server.url + path, { method, redirect: 'manual', ...init, signal: answering })
    .then(answer => answer.arrayBuffer())
    .catch(() => undefined)
}

async function costs(kinds: { readonly [kind: string]: () => Promise<unknown> }): Promise<readonly string[]> {
  const over: string[] = []
  for (const [kind, request] of Object.entries(kinds)) {
    const cost = await costOf(request)
    if (cost >= MAX_CPU_TIME) over.push(`${kind}: ${cost.toFixed(1)} ms`)
  }
  return over
}

describe('a request without credentials costs less than five milliseconds of the event loop', () => {
  testHere(DOORS)('%s %s', async (method, path) => {
    const headers = Object.entries(HEADERS).map(
      ([kind, headers]) => [kind, () => ask(method, path, { headers })] as const,
    )
    const queries = Object.entries(QUERIES).map(
      ([kind, query]) => [kind, () => ask(method, `${path}?${query}`)] as const,
    )
    const kinds = [...headers, ...queries, ...bodiesFor(method, path)]
    expect(await costs(Object.fromEntries(kinds))).toEqual([])
  })
})
