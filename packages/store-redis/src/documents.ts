import { type Attributes, type DocumentContent, emptyRecord, type ObjectMap } from '@godwit/protocol'
import type { Documents } from '@godwit/store'
import { attributesText, changeObject, parseAttributes, patchText } from '@godwit/store/history'
import type { RedisConnection } from './connection.js'
import type { KeyNames } from './keys.js'
import { afterText } from './names.js'
import { retryWhileStale } from './retry-while-stale.js'
import {
  appendDocumentScript,
  deleteDocumentScript,
  exchangeDocumentScript,
  setDocumentScript,
} from './scripts/documents.js'

export function redisDocuments(connection: RedisConnection): Documents {
  const keysOf = (scope: string) => connection.keys.scope(scope)
  return {
    get: async (scope, name) => {
      const stored = await connection.command(keysOf(scope)('contents'), 'HGET', name.toWellFormed())
      return stored === null ? undefined : contentOf(stored as string)
    },
    set: async (scope, name, content) => {
      await connection.run(setDocumentScript, keysOf(scope), [
        name.toWellFormed(),
        textOfContent(content, attributesText),
      ])
    },
    append: async (scope, name, content) => {
      const given = [name.toWellFormed(), textOfContent(content, patchText)]
      const appended = await connection.run(appendDocumentScript, keysOf(scope), given)
      if (appended !== 'large') return appended === 'appended' ? 'appended' : 'kind_differs'
      return retryWhileStale(() => appendToMap(connection, keysOf(scope), name.toWellFormed(), content as ObjectMap))
    },
    names: async (scope, { after, limit } = { limit: Number.POSITIVE_INFINITY }) => {
      const count = Number.isFinite(limit) ? limit : -1
      const range = [afterText(after), '+', 'LIMIT', 0, count]
      return (await connection.command(keysOf(scope)('names'), 'ZRANGEBYLEX', ...range)) as readonly string[]
    },
    delete: async (scope, name) =>
      (await connection.run(deleteDocumentScript, keysOf(scope), [name.toWellFormed()])) === 1,
    deleteScope: async scope => {
      await connection.command(keysOf(scope)('contents'), 'UNLINK', keysOf(scope)('names'))
    },
  }
}

/** Computes a merge into a large map here, and writes it only if the document is unchanged. */
async function appendToMap(
  connection: RedisConnection,
  naming: KeyNames<'contents' | 'names'>,
  name: string,
  more: ObjectMap,
) {
  const seen = ((await connection.command(naming('contents'), 'HGET', name)) ?? '') as string
  if (seen !== '' && !seen.startsWith('m')) return 'kind_differs'
  const texts = new Map(Object.entries(JSON.parse(seen.slice(1) || '{}') as ObjectMap).map(textOf))
  const changes = new Map(Object.entries(more).map(([id, attributes]) => [id.toWellFormed(), attributes]))
  for (const [id, merge] of changes) texts.set(id, changeObject(texts.get(id), { merge })?.text ?? '{}')
  const answer = await connection.run(exchangeDocumentScript, naming, [name, seen, mapText(texts)])
  return answer === 'stale' ? 'stale' : 'appended'
}

const textOf = ([id, attributes]: readonly [string, Attributes]) => [id, attributesText(attributes)] as const

/** Encodes a document as its kind, then the content: text as it is, a map as JSON. */
function textOfContent(content: DocumentContent, textOf: (attributes: Attributes) => string): string {
  if (typeof content === 'string') return `t${content.toWellFormed()}`
  return mapText(new Map(Object.entries(content).map(([id, attributes]) => [id.toWellFormed(), textOf(attributes)])))
}

const mapText = (texts: ReadonlyMap<string, string>): string =>
  `m{${[...texts].map(([id, text]) => `${JSON.stringify(id)}:${text}`).join(',')}}`

function contentOf(text: string): DocumentContent {
  if (text.startsWith('t')) return text.slice(1)
  const objects = emptyRecord<Attributes>()
  for (const [id, value] of Object.entries(JSON.parse(text.slice(1)) as ObjectMap))
    objects[id] = parseAttributes(attributesText(value))
  return objects
}
