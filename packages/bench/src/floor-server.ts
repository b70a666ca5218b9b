import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'

const [file = ':memory:', synchronous = 'NORMAL'] = process.argv.slice(2)
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma(`synchronous = ${synchronous}`)
database.exec(
  'CREATE TABLE objects (id TEXT PRIMARY KEY, version INTEGER NOT NULL, attributes TEXT NOT NULL); CREATE INDEX by_version ON objects (version, id)',
)
const put = database.prepare(
  'INSERT INTO objects VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version, attributes = excluded.attributes',
)
const rows = database
  .prepare('SELECT id, version, attributes FROM objects WHERE (version, id) > (?, ?) ORDER BY version, id LIMIT 1000')
  .raw()
let version = 0

const push = database.transaction((objects: Record<string, unknown>) => {
  version++
  for (const [id, attributes] of Object.entries(objects)) put.run(id, version, JSON.stringify(attributes))
})

function pull(url: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  let after: readonly [number, string] = [Number(query.get('version')), query.get('id') ?? '']
  const parts: string[] = []
  for (const [id, at, attributes] of rows.all(...after) as [string, number, string][]) {
    parts.push(`${JSON.stringify(id)}:${attributes}`)
    after = [at, id]
  }
  return `{"after":${JSON.stringify(after)},"insert":{${parts.join(',')}}}`
}

const server = createServer((request, response) => {
  const answer = (text: string): void => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
  }
  if (request.method === 'GET') return answer(pull(request.url ?? '/'))
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>)
      answer('{}')
    })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`floor listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
