import { setImmediate } from 'node:timers/promises'
import type { Attributes, ObjectList, ObjectPage, StoredObject } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import { type ChangeRow, type CollectionId, READ_BYTES } from '@godwit/store'
import type { AdminEngine } from '../admin-engine.js'
import { type CollectionPath, resolveCollection } from './resolve-collection.js'
import { versionTime } from './version-time.js'

/** The number of objects that one request scans; a search continues with the next request. */
const MAX_SCANNED = 10_000
/** The number of rows per read, which limits how long other requests wait. */
const ROWS_PER_READ = 500

type ObjectsEngine = Pick<AdminEngine, 'store' | 'sources' | 'clock'>

/** Lists objects of a master document in order of id, each in its state when its page is read. */
export async function listObjects(
  engine: ObjectsEngine,
  name: CollectionPath,
  { id, after, limit = 100, ...sought }: ObjectList,
): Promise<ObjectPage> {
  const { collection, source } = await resolveCollection(engine, name)
  const { collections } = engine.store
  if (id !== undefined) return findObject(engine, { collection, source }, id)
  const isWanted = filterOf(sought)
  const objects: StoredObject[] = []
  let looked = 0
  let size = 0
  for (let last = after; ; await setImmediate()) {
    const step = isWanted === undefined ? Math.min(limit - objects.length, ROWS_PER_READ) : ROWS_PER_READ
    const { rows, more } = await collections.list(collection, { after: last, limit: step })
    for (const { id, version, text } of rows) {
      looked++
      last = id
      if (isWanted && !isWanted(text ?? '{}')) continue
      // A pass-through source stores only ids.
      objects.push({ id, version, attributes: source.passThrough ? {} : parseRow(text) })
      size += text?.length ?? 0
      if (objects.length === limit || size > READ_BYTES) return { objects, looked, next: last }
    }
    if (!more || last === undefined) return { objects, looked }
    if (looked >= MAX_SCANNED) return { objects, looked, next: last }
  }
}

async function findObject(
  { store: { collections }, clock }: ObjectsEngine,
  { collection, source }: { readonly collection: CollectionId; readonly source: Source },
  id: string,
): Promise<ObjectPage> {
  const present = await collections.look(collection, id)
  if (present.state !== 'live') return { objects: [], looked: 1 }
  const { version } = present
  const time = await versionTime(collections, collection, { version, now: clock() })
  const changed_at = time === undefined ? null : new Date(time).toISOString()
  const attributes = source.passThrough ? {} : present.attributes
  return { objects: [{ id, version, changed_at, attributes }], looked: 1 }
}

/** Returns a filter over an object's JSON text; undefined if every object matches. */
function filterOf({
  contains,
  attribute,
}: Pick<ObjectList, 'contains' | 'attribute'>): ((text: string) => boolean) | undefined {
  const needle = contains?.toLowerCase()
  if (attribute !== undefined) {
    return text => {
      // Skips parsing for most objects.
      if (needle !== undefined && isPlain(needle) && !text.toLowerCase().includes(needle)) return false
      const attributes = parseRow(text)
      return (
        Object.hasOwn(attributes, attribute) && (needle === undefined || includesText(attributes[attribute], needle))
      )
    }
  }
  if (needle === undefined) return undefined
  return text => {
    if (isPlain(needle) && !text.toLowerCase().includes(needle)) return false
    return Object.values(parseRow(text)).some(value => includesText(value, needle))
  }
}

/** True if JSON contains the text unescaped. */
const isPlain = (text: string): boolean => /^[\p{L}\p{N} .,:@_-]+$/u.test(text)

const includesText = (value: unknown, needle: string): boolean =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase().includes(needle)

const parseRow = (text: ChangeRow['text']): Attributes => JSON.parse(text ?? '{}') as Attributes
