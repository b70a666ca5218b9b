import type { Outcome, Page, SourceError } from '@godwit/protocol'
import type { FakeCollection } from './collection.js'
import { problem } from './fake-problem.js'

/** The server's settings that affect a page. */
export interface PullContext {
  readonly nonce: string
  readonly sum: (collection: FakeCollection) => string
  readonly outcomesAPage: number
  readonly id: (prefix: string) => string
  /** The error of the last query. */
  readonly error?: SourceError | undefined
  /** Since when the source's feed is silent. */
  readonly staleSince?: string | undefined
}

interface Token {
  readonly epoch: string
  readonly nonce: string
  readonly head: number
  readonly mark: string | undefined
  readonly base: number
  readonly position: readonly [version: number, id: string]
  readonly start: number
  readonly pass: string
  readonly resync: boolean
  readonly progress: number
  readonly running: boolean
}

const AFTER_ALL = '\uffff'

/** Returns the page after a token; `client_forked` if a restored collection has lost outcomes that the device has applied. */
export function pull(
  server: PullContext,
  collection: FakeCollection,
  client: string,
  query: URLSearchParams,
): Response {
  const page = pageFor(server, collection, client, query)
  return page ? Response.json(page) : problem(409, 'client_forked')
}

/** Returns the page after a token; undefined if a restored collection has lost outcomes that the device has applied. */
export function pageFor(
  server: PullContext,
  collection: FakeCollection,
  client: string,
  query: URLSearchParams,
): Page | undefined {
  const acknowledged = Number(query.get('acknowledged') ?? 0)
  const { outcomes } = collection.journalOf(client)
  const hasLost = acknowledged > outcomes.length && parseToken(query.get('token'))?.epoch === collection.epoch
  return hasLost ? undefined : pageOf(server, collection, outcomes, query)
}

function pageOf(
  server: PullContext,
  collection: FakeCollection,
  reported: readonly Outcome[],
  query: URLSearchParams,
): Page {
  const token = tokenOf(server, collection, parseToken(query.get('token')))
  const limit = Number(query.get('p_size') ?? 500)
  const rows = rowsAfter(collection, token).slice(0, limit)
  const live = rows.flatMap(({ id, attributes }) => (attributes ? [[id, attributes] as const] : []))
  const ends = rows.length < limit
  const acknowledged = Number(query.get('acknowledged') ?? 0)
  const undelivered = reported.filter(({ outcome = 0 }) => outcome > acknowledged)
  const outcomes = undelivered.slice(0, server.outcomesAPage)
  const next = { ...tokenAfter(token, collection, rows, ends), head: collection.head, mark: markOf(collection) }
  return {
    version: 4,
    epoch: collection.epoch,
    token: JSON.stringify(next),
    more: !ends || outcomes.length < undelivered.length,
    status: token.resync ? 'resync' : 'ok',
    pass: token.pass,
    ...(ends && { ends: true, head: collection.head, checksum: server.sum(collection) }),
    count: rows.length,
    progress_count: token.progress + rows.length,
    total_count: Object.keys(collection.live()).length,
    ...(live.length > 0 && { insert: Object.fromEntries(live) }),
    ...(rows.length > 0 && { versions: Object.fromEntries(rows.map(({ id, version }) => [id, version])) }),
    ...(live.length < rows.length && { delete: rows.filter(({ attributes }) => !attributes).map(({ id }) => id) }),
    ...(outcomes.length > 0 && { outcomes }),
    ...(server.error && { source_error: server.error }),
    ...(server.staleSince !== undefined && { stale_since: server.staleSince }),
  }
}

const markOf = ({ marks, head }: FakeCollection): string | undefined => marks.get(head)

const parseToken = (token: string | null): Token | undefined =>
  token === null ? undefined : (JSON.parse(token) as Token)

/** Returns the token to continue from. A token of another epoch or nonce starts a pass from zero. */
function tokenOf({ nonce, id }: PullContext, collection: FakeCollection, token: Token | undefined): Token {
  const { epoch, head, marks } = collection
  const isGood = token && token.epoch === epoch && token.nonce === nonce && marks.get(token.head) === token.mark
  if (isGood) return token.running ? token : { ...token, pass: id('p') }
  return {
    epoch,
    nonce,
    head,
    mark: markOf(collection),
    base: 0,
    position: [0, ''],
    start: head,
    pass: id('p'),
    resync: token !== undefined,
    progress: 0,
    running: true,
  }
}

type Row = ReturnType<typeof rowsAfter>[number]

/** Returns the rows after a position, in order. A first pass omits tombstones older than its start. */
function rowsAfter({ rows }: FakeCollection, { position: [from, last], base, start }: Token) {
  return [...rows]
    .map(([id, row]) => ({ id, ...row }))
    .filter(({ version, id }) => version > from || (version === from && id > last))
    .filter(({ version, attributes }) => attributes !== null || base > 0 || version > start)
    .sort((one, other) => one.version - other.version || (one.id < other.id ? -1 : 1))
}

function tokenAfter(token: Token, { head }: FakeCollection, rows: readonly Row[], ends: boolean): Token {
  const last = rows.at(-1)
  return ends
    ? { ...token, base: head, position: [head, AFTER_ALL], start: 0, resync: false, progress: 0, running: false }
    : {
        ...token,
        position: [last?.version ?? 0, last?.id ?? ''],
        progress: token.progress + rows.length,
        running: true,
      }
}

/** Returns a page of object versions, the first request of a repair. */
export function versions({ epoch, rows }: FakeCollection, query: URLSearchParams): Response {
  const limit = Number(query.get('limit') ?? 5000)
  const ids = [...rows].flatMap(([id, { attributes }]) => (attributes ? [id] : [])).sort()
  const page = ids.filter(id => id > (query.get('after') ?? '')).slice(0, limit)
  const versions = Object.fromEntries(page.map(id => [id, rows.get(id)?.version]))
  return Response.json({ epoch, versions, ...(page.length === limit && { next: page.at(-1) }) })
}

/** Returns objects by id, the second request of a repair. */
export function objects({ epoch, rows }: FakeCollection, ids: readonly string[], most: number): Response {
  const live = ids.slice(0, most).filter(id => rows.get(id)?.attributes)
  const rest = ids.slice(most)
  const objects = Object.fromEntries(live.map(id => [id, rows.get(id)?.attributes]))
  const versions = Object.fromEntries(live.map(id => [id, rows.get(id)?.version]))
  return Response.json({ epoch, objects, versions, ...(rest.length > 0 && { rest }) })
}
