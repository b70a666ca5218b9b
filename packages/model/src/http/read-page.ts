import { type Attributes, emptyRecord, type ObjectId, type Page, SyncError } from '@godwit/protocol'
import { parseAttributes } from '../definition/attribute-values.js'
import { JsonCursor } from './json-cursor.js'

/** A page that parses its objects one by one at each iteration, so that a large page is in memory only as bytes. */
export interface ReadPage extends Omit<Page, 'insert' | 'versions' | 'delete'> {
  eachInsert(use: (object: ObjectId, version: number, attributes: Attributes) => void): void
  eachDelete(use: (object: ObjectId, version: number) => void): void
}

/**
 * Reads a page. Throws a SyntaxError if it is not JSON; invalid objects throw when they are read. No object is kept, since the garbage collector
 * would promote them and keep what they refer to.
 */
export function readPage(bytes: Uint8Array): ReadPage {
  const members: Record<string, unknown> = emptyRecord()
  const places: { insert?: number; versions?: number } = {}
  const cursor = new JsonCursor(bytes)
  cursor.enter()
  for (let name = cursor.member(); name !== undefined; name = cursor.member()) {
    if (name !== 'insert' && name !== 'versions') members[name] = JSON.parse(cursor.value())
    else {
      places[name] = cursor.at
      cursor.skip()
    }
  }
  cursor.end()
  const { delete: removed = [], ...page } = members as unknown as Page
  const versionsOf = () =>
    places.versions === undefined ? () => 0 : versionsIn(new JsonCursor(bytes, places.versions))
  return {
    ...page,
    eachInsert(use) {
      if (places.insert === undefined) return
      const objects = new JsonCursor(bytes, places.insert)
      asJson(() => {
        const versionOf = versionsOf()
        objects.enter()
        for (let object = objects.member(); object !== undefined; object = objects.member())
          use(object, versionOf(object), parseAttributes(objects.value()))
      })
    },
    eachDelete(use) {
      asJson(() => {
        const versionOf = versionsOf()
        for (const object of removed) use(object, versionOf(object))
      })
    },
  }
}

/** Returns a page that is already parsed, such as one of many partitions. */
export function pageOf({ insert = {}, versions = {}, delete: removed = [], ...page }: Page): ReadPage {
  const versionOf = (object: ObjectId) => (Object.hasOwn(versions, object) ? (versions[object] ?? 0) : 0)
  return {
    ...page,
    eachInsert(use) {
      for (const object of Object.keys(insert)) use(object, versionOf(object), insert[object] ?? {})
    },
    eachDelete(use) {
      for (const object of removed) use(object, versionOf(object))
    },
  }
}

/** Returns a lookup of versions. Servers write them in the order of the objects; skipped ones are remembered. */
function versionsIn(cursor: JsonCursor): (object: ObjectId) => number {
  const passed = new Map<ObjectId, number>()
  cursor.enter()
  return object => {
    const known = passed.get(object)
    if (known !== undefined) return known
    for (let name = cursor.member(); name !== undefined; name = cursor.member()) {
      const version = JSON.parse(cursor.value()) as number
      if (name === object) return version
      passed.set(name, version)
    }
    return 0
  }
}

function asJson(read: () => void): void {
  try {
    read()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new SyncError('internal', 'The server sent a page with objects that are not JSON. Sync again.', { cause })
  }
}
