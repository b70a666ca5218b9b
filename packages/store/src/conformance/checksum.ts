import { Checksum } from '@godwit/protocol'
import type { Batch } from '../collections.js'
import { attributesText, compareIds, parseAttributes, storedId } from '../history/index.js'
import { property } from './property.js'
import { canonical, headOf, type Scene, type Suite, withScene } from './suite.js'

export function describeChecksum(suite: Suite): void {
  suite.describe('count and checksum', () => {
    suite.fact('are those of nothing at first', async scene => {
      const head = await scene.store.collections.open(scene.collection)
      suite.expect([head.count, head.checksum]).toEqual([0, new Checksum().toString()])
    })

    property(suite, 'and the objects are what any batches make of them', async () => [
      (await import('./arbitraries.js')).batchLists,
      history => withScene(suite, scene => agree(suite, scene, history)),
    ])
  })
}

async function agree({ expect }: Suite, scene: Scene, history: readonly Batch[]): Promise<void> {
  const plain = new PlainObjects()
  for (const batch of history) {
    await scene.store.collections.apply(scene.collection, batch)
    plain.apply(batch)
    const { rows } = await scene.store.collections.list(scene.collection, { limit: 100 })
    expect(rows.map(({ id, text }) => [id, canonical(JSON.parse(text ?? 'null'))])).toEqual(plain.list())
    const sum = new Checksum()
    for (const { id, version } of rows) sum.add(id, version)
    const head = await headOf(scene)
    expect([head.count, head.checksum]).toEqual([rows.length, sum.toString()])
  }
}

/** A minimal model of `Batch`: attribute by attribute, without history. */
class PlainObjects {
  readonly #objects = new Map<string, Map<string, unknown>>()

  apply({ removeAttributes = {}, replace = {}, merge = {}, remove = [] }: Batch): void {
    const emptied = new Set<string>()
    for (const [id, names] of byStoredId(removeAttributes)) {
      const object = this.#objects.get(id)
      const had = object?.size ?? 0
      for (const name of names) object?.delete(name)
      if (had > 0 && object?.size === 0) emptied.add(id)
    }
    for (const [id, attributes] of byStoredId(replace)) this.#objects.set(id, present(attributes))
    for (const [id, attributes] of byStoredId(merge)) {
      const object = this.#objects.get(id) ?? new Map()
      for (const [name, value] of Object.entries(attributes))
        value === null ? object.delete(name) : object.set(name, value)
      this.#objects.set(id, object)
    }
    for (const id of emptied) if (this.#objects.get(id)?.size === 0) this.#objects.delete(id)
    for (const id of remove) this.#objects.delete(storedId(id))
  }

  list(): readonly (readonly [string, string])[] {
    return [...this.#objects]
      .sort(([left], [right]) => compareIds(left, right))
      .map(([id, attributes]) => [
        id,
        canonical(parseAttributes(attributesText(Object.fromEntries(attributes) as never))),
      ])
  }
}

const byStoredId = <Value>(record: { readonly [id: string]: Value }) =>
  Object.entries(record).map(([id, value]) => [storedId(id), value] as const)

const present = (attributes: object) => new Map(Object.entries(attributes).filter(([, value]) => value !== null))
