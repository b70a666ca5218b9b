import { type Attributes, type DocumentContent, emptyRecord, type ObjectMap } from '@godwit/protocol'
import type { Documents } from '@godwit/store'
import { attributesText, parseAttributes, patchText } from '@godwit/store/history'
import type { Connection } from './connection.js'
import { afterText } from './names.js'
import { appendDocumentScript, deleteDocumentScript, setDocumentScript } from './scripts/documents.js'

export function redisDocuments(connection: Connection): Documents {
  const of = (scope: string) => connection.keys.scope(scope)
  return {
    get: async (scope, name) => {
      const stored = await connection.command(of(scope)('contents'), 'HGET', name.toWellFormed())
      return stored === null ? undefined : contentOf(stored as string)
    },
    set: async (scope, name, content) => {
      await connection.run(setDocumentScript, of(scope), [name.toWellFormed(), stored(content, attributesText)])
    },
    append: async (scope, name, content) => {
      const given = [name.toWellFormed(), stored(content, patchText)]
      return (await connection.run(appendDocumentScript, of(scope), given)) === 1 ? 'appended' : 'kind_differs'
    },
    names: async (scope, { after, limit } = { limit: Number.POSITIVE_INFINITY }) => {
      const count = Number.isFinite(limit) ? limit : -1
      const range = [afterText(after), '+', 'LIMIT', 0, count]
      return (await connection.command(of(scope)('names'), 'ZRANGEBYLEX', ...range)) as readonly string[]
    },
    delete: async (scope, name) => (await connection.run(deleteDocumentScript, of(scope), [name.toWellFormed()])) === 1,
    deleteScope: async scope => {
      await connection.command(of(scope)('contents'), 'UNLINK', of(scope)('names'))
    },
  }
}

/** The kind, then the content: text as it is, a map as JSON. */
function stored(content: DocumentContent, textOf: (attributes: Attributes) => string): string {
  if (typeof content === 'string') return `t${content.toWellFormed()}`
  const objects = Object.entries(content).map(([id, attributes]) => [id.toWellFormed(), textOf(attributes)] as const)
  return `m{${[...new Map(objects)].map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}`
}

function contentOf(text: string): DocumentContent {
  if (text.startsWith('t')) return text.slice(1)
  const objects = emptyRecord<Attributes>()
  for (const [id, value] of Object.entries(JSON.parse(text.slice(1)) as ObjectMap))
    objects[id] = parseAttributes(attributesText(value))
  return objects
}
