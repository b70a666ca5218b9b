import type { Outcome } from '@godwit/protocol'
import type { DevicePage, DevicePageOptions } from '../../collections.js'
import { READ_BYTES } from '../../history/index.js'
import { headOf, type Scene, type Suite, sure } from '../suite.js'
import { acceptedKeys, CLIENT, create, merge, run } from './mutations.js'

const WHOLE: DevicePageOptions = { limit: 100, client: CLIENT, outcomes: { after: 0, limit: 100 } }

const page = async ({ store, collection }: Scene, options: Partial<DevicePageOptions> = {}): Promise<DevicePage> =>
  sure(await store.collections.page(collection, { ...WHOLE, ...options }))

const creates = (count: number) =>
  Array.from({ length: count }, (_, index) => create(`t${index + 1}`, { number: index + 1 }))

const apply = (scene: Scene, number: number) =>
  run(scene, `key-of-mutation-${number}`, { write: { object: `t${number}`, set: { number } } })

export function describePage(suite: Suite): void {
  suite.describe('a page of a device', () => {
    describeParts(suite)
    describeMoment(suite)
  })
}

function describeParts({ fact, expect }: Suite): void {
  fact('has what changes and outcomes are, read apart', async scene => {
    const { collections, journal } = scene.store
    await acceptedKeys(scene, creates(3))
    for (const number of [2, 1, 3]) await apply(scene, number)
    await merge(scene, { more: {} })
    const { epoch, version, mark } = await headOf(scene)
    const from = { epoch, head: version, mark, base: 2, start: 0, after: { version: 2, id: 't1' } }
    for (const options of [{}, { from, outcomes: { after: 1, limit: 1 } }, { limit: 1 }, { client: 'client: 2' }]) {
      const { outcomePage, ...changes } = await page(scene, options)
      const asked = { ...WHOLE, ...options }
      expect(changes).toEqual(await collections.changes(scene.collection, asked))
      expect(outcomePage).toEqual(await journal.outcomes(scene.collection, asked.client, asked.outcomes))
      expect(outcomePage.more).toBe(asked.outcomes.limit === 1)
    }
  })

  fact('tells a client that has everything that nothing is new', async scene => {
    await merge(scene, { a: {} })
    const { epoch, version, mark } = await headOf(scene)
    const from = { epoch, head: version, mark, base: version, start: 0, after: { version: version + 1, id: '' } }
    expect(await page(scene, { from })).toMatchObject({ fromZero: false, rows: [], more: false })
    await merge(scene, { b: {} })
    expect((await page(scene, { from })).rows.map(({ id }) => id)).toEqual(['b'])
  })

  fact('ends with the outcome whose content is more than one read has', async scene => {
    await acceptedKeys(scene, creates(4))
    const note = 'x'.repeat(READ_BYTES / 3)
    for (const number of [1, 2, 3, 4])
      await run(scene, `key-of-mutation-${number}`, { write: { object: `t${number}`, set: { note } } })
    const first = (await page(scene, { limit: 0 })).outcomePage
    expect(first.more).toBe(true)
    expect(first.outcomes.length < 4).toBe(true)
    const all = await toldInAll(scene, CLIENT)
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  fact('of a collection that does not exist is none', async ({ store, collection }) => {
    expect(await store.collections.page(collection, WHOLE)).toBe(undefined)
  })

  fact('tells all outcomes, page by page, those of a client that lost most of them to another one too', async scene => {
    await acceptedKeys(scene, creates(400))
    for (let number = 1; number <= 400; number++) await apply(scene, number)
    const moved = creates(350).map(mutation => ({ ...mutation, sent: true }))
    await acceptedKeys(scene, moved, { client: 'client: 2' })
    expect((await toldInAll(scene, CLIENT)).map(({ number }) => number)).toEqual(range(351, 400))
    expect((await toldInAll(scene, 'client: 2')).map(({ number }) => number)).toEqual(range(1, 350))
  })
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

async function toldInAll(scene: Scene, client: string): Promise<readonly Outcome[]> {
  const all: Outcome[] = []
  for (;;) {
    const { outcomePage } = await page(scene, { client, outcomes: { after: all.at(-1)?.outcome ?? 0, limit: 1000 } })
    all.push(...outcomePage.outcomes)
    if (!outcomePage.more) return all
  }
}

function describeMoment({ fact, expect }: Suite): void {
  fact('tells no outcome of a version that its rows do not know, whatever happens meanwhile', async scene => {
    const count = 40
    await acceptedKeys(scene, creates(count))
    const applied = Promise.all(range(1, count).map(number => apply(scene, number)))
    const pages = await Promise.all(range(1, 3 * count).map(() => page(scene)))
    await applied
    for (const { head, rows, outcomePage } of pages) {
      expect(outcomePage.outcomes.filter(({ version }) => version > head.version)).toEqual([])
      expect(outcomePage.outcomes.length).toBe(rows.length)
    }
  })
}
