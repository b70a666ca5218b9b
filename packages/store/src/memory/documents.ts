import { type Attributes, type DocumentContent, emptyRecord, type ObjectMap } from '@godwit/protocol'
import type { Documents } from '../documents.js'
import { attributesText, changeObject, compareIds, parseAttributes } from '../history/index.js'

/** Text, or the texts of a map's objects by id. */
type DocumentTexts = string | ReadonlyMap<string, string>

export interface MemoryDocuments extends Documents {
  clear(): void
}

export function memoryDocuments(): MemoryDocuments {
  const scopes = new Map<string, Map<string, DocumentTexts>>()
  const scopeOf = (scope: string) => scopes.get(scope.toWellFormed()) ?? new Map<string, DocumentTexts>()
  const put = (scope: string, name: string, stored: DocumentTexts) => {
    scopes.set(scope.toWellFormed(), scopeOf(scope).set(name.toWellFormed(), stored))
  }
  return {
    get: async (scope, name) => {
      const stored = scopeOf(scope).get(name.toWellFormed())
      return stored === undefined ? undefined : contentOf(stored)
    },
    set: async (scope, name, content) => put(scope, name, toStored(content)),
    append: async (scope, name, content) => {
      const joined = appendContent(scopeOf(scope).get(name.toWellFormed()), content)
      if (joined === undefined) return 'kind_differs'
      put(scope, name, joined)
      return 'appended'
    },
    names: async (scope, { after, limit } = { limit: Number.POSITIVE_INFINITY }) =>
      [...scopeOf(scope).keys()]
        .sort(compareIds)
        .filter(name => after === undefined || compareIds(name, after.toWellFormed()) > 0)
        .slice(0, limit),
    delete: async (scope, name) => scopeOf(scope).delete(name.toWellFormed()),
    deleteScope: async scope => {
      scopes.delete(scope.toWellFormed())
    },
    clear: () => scopes.clear(),
  }
}

function toStored(content: DocumentContent): DocumentTexts {
  if (typeof content === 'string') return content.toWellFormed()
  return new Map(Object.entries(content).map(([id, attributes]) => [id.toWellFormed(), attributesText(attributes)]))
}

/** Returns undefined if the kinds differ. */
function appendContent(stored: DocumentTexts | undefined, content: DocumentContent): DocumentTexts | undefined {
  if (stored === undefined) return toStored(content)
  if (typeof stored === 'string' || typeof content === 'string')
    return typeof stored === 'string' && typeof content === 'string' ? stored + content.toWellFormed() : undefined
  return mergeObjects(stored, content)
}

function mergeObjects(stored: ReadonlyMap<string, string>, objects: ObjectMap): DocumentTexts {
  const result = new Map(stored)
  for (const [id, attributes] of Object.entries(objects)) {
    const known = id.toWellFormed()
    result.set(known, changeObject(result.get(known), { merge: attributes })?.text ?? '{}')
  }
  return result
}

function contentOf(stored: DocumentTexts): DocumentContent {
  if (typeof stored === 'string') return stored
  const objects = emptyRecord<Attributes>()
  for (const [id, text] of stored) objects[id] = parseAttributes(text)
  return objects
}
