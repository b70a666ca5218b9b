import type { ObjectMap } from '@godwit/protocol'
import type { ReplaceResult } from '../collections.js'
import { attributesText, storedId } from '../history/index.js'
import type { Race } from './arbitraries.js'
import { property } from './property.js'
import { beginQuery } from './query.js'
import { canonical, headOf, type Scene, type Suite, withScene } from './suite.js'

export function describeNewerWrites(suite: Suite): void {
  suite.describe('a query', () => {
    property(suite, 'never undoes what was written after it began, and brings everything else', async () => [
      (await import('./arbitraries.js')).races,
      race => withScene(suite, scene => expectNothingUndone(suite, scene, race)),
    ])
  })
}

async function expectNothingUndone({ expect }: Suite, scene: Scene, race: Race): Promise<void> {
  const { collections } = scene.store
  for (const batch of race.earlier) await collections.apply(scene.collection, batch)
  const query = await beginQuery(scene, { maxRemovedShare: 1 })
  const { since } = query.options
  let written: Rows = new Map()
  const write = async () => {
    for (const batch of race.meanwhile) await collections.apply(scene.collection, batch)
    written = await rowsOf(scene)
  }
  const replaced = (await query.end(write, race.answer)) as ReplaceResult
  const expected = expectedRows(written, race.answer, since)
  const rows = await rowsOf(scene)
  expect(canonical(live(rows))).toBe(canonical(live(expected)))
  const newer = [...written].filter(([, row]) => row.version > since)
  for (const [id, row] of newer) expect(rows.get(id)).toEqual(row)
  const { queriesRequested, queriesServed } = await headOf(scene)
  expect(queriesRequested > queriesServed).toBe(replaced.spared > 0)
}

type Rows = ReadonlyMap<string, { readonly version: number; readonly text: string | null }>

/** All rows with tombstones, as a reader gets them that was there from the start. */
async function rowsOf({ store, collection }: Scene): Promise<Rows> {
  const before = await store.collections.changes(collection, { limit: 0 })
  if (!before) return new Map()
  const { epoch, version, mark } = before.head
  const from = { epoch, head: version, mark, base: 0, start: 0, after: { version: 0, id: '' } }
  const changes = await store.collections.changes(collection, { from, limit: 1000 })
  return new Map((changes?.rows ?? []).map(({ id, version, text }) => [id, { version, text }]))
}

/** Rows written after `since` stay; the others are those of the query's result. */
function expectedRows(written: Rows, answer: ObjectMap, since: number): Rows {
  const expected = new Map([...written].filter(([, row]) => row.version > since))
  const answered = new Map(Object.entries(answer).map(([id, attributes]) => [storedId(id), attributesText(attributes)]))
  for (const [id, text] of answered) if (!expected.has(id)) expected.set(id, { version: 0, text })
  return expected
}

const live = (rows: Rows) =>
  [...rows]
    .filter(([, { text }]) => text !== null)
    .map(([id, { text }]) => [id, JSON.parse(text ?? '{}')] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
