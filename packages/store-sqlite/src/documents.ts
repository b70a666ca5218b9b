import { type Attributes, type DocumentContent, emptyRecord, type ObjectMap } from '@godwit/protocol'
import type { Documents } from '@godwit/store'
import { attributesText, changeObject, parseAttributes } from '@godwit/store/history'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'

/** A stored document. The content of a `map` is a JSON object of objects. */
interface DocumentRow {
  readonly kind: 'text' | 'map'
  readonly content: string
}

const SELECT = 'SELECT kind, content FROM document WHERE scope = ? AND name = ?'
const PUT = 'INSERT OR REPLACE INTO document (scope, name, kind, content) VALUES (?, ?, ?, ?)'
const NAMES = 'SELECT name FROM document WHERE scope = ? AND (? IS NULL OR name > ?) ORDER BY name LIMIT ?'
const DELETE = 'DELETE FROM document WHERE scope = ? AND name = ?'
const DELETE_SCOPE = 'DELETE FROM document WHERE scope = ?'

export function sqliteDocuments(database: Database): Documents {
  return {
    get: (scope, name) =>
      database.read(connection => {
        const stored = connection.statement<DocumentRow>(SELECT).get(scope, name)
        return stored && contentOf(stored)
      }),
    set: (scope, name, content) => database.write(connection => put(connection, { scope, name }, toStored(content))),
    append: (scope, name, content) => database.write(connection => append(connection, { scope, name }, content)),
    names: (scope, { after, limit } = { limit: Number.POSITIVE_INFINITY }) =>
      database.read(connection => {
        const rows = connection.statement<{ readonly name: string }>(NAMES)
        return rows
          .all(scope, after ?? null, after ?? null, Number.isFinite(limit) ? limit : -1)
          .map(({ name }) => name)
      }),
    delete: (scope, name) => database.write(connection => connection.statement(DELETE).run(scope, name).changes > 0),
    deleteScope: async scope => {
      await database.write(connection => connection.statement(DELETE_SCOPE).run(scope))
    },
  }
}

interface DocumentName {
  readonly scope: string
  readonly name: string
}

function put(connection: SqliteConnection, { scope, name }: DocumentName, { kind, content }: DocumentRow): void {
  connection.statement(PUT).run(scope, name, kind, content)
}

function append(
  connection: SqliteConnection,
  name: DocumentName,
  content: DocumentContent,
): 'appended' | 'kind_differs' {
  const present = connection.statement<DocumentRow>(SELECT).get(name.scope, name.name)
  const more = toStored(content)
  if (present && present.kind !== more.kind) return 'kind_differs'
  put(connection, name, present ? appendContent(present, content) : more)
  return 'appended'
}

function appendContent({ kind, content }: DocumentRow, more: DocumentContent): DocumentRow {
  if (typeof more === 'string') return { kind, content: content + more }
  const texts = new Map(
    Object.entries(JSON.parse(content) as ObjectMap).map(([id, value]) => [id, attributesText(value)]),
  )
  for (const [given, attributes] of Object.entries(more)) {
    const id = given.toWellFormed()
    texts.set(id, changeObject(texts.get(id), { merge: attributes })?.text ?? '{}')
  }
  return { kind, content: mapText(texts) }
}

function toStored(content: DocumentContent): DocumentRow {
  if (typeof content === 'string') return { kind: 'text', content }
  const objects = Object.entries(content)
  return {
    kind: 'map',
    content: mapText(new Map(objects.map(([id, value]) => [id.toWellFormed(), attributesText(value)]))),
  }
}

const mapText = (texts: ReadonlyMap<string, string>) =>
  `{${[...texts].map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}`

function contentOf({ kind, content }: DocumentRow): DocumentContent {
  if (kind === 'text') return content
  const objects = emptyRecord<Attributes>()
  for (const [id, value] of Object.entries(JSON.parse(content) as ObjectMap))
    objects[id] = parseAttributes(attributesText(value))
  return objects
}
