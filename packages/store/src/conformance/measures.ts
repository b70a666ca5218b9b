import { acceptedKeys, create, run, start } from './journal/mutations.js'
import { type Suite, sure } from './suite.js'

export function describeMeasures({ describe, fact, expect }: Suite): void {
  describe('measures', () => {
    fact('count undecided mutations by state, over all collections', async scene => {
      const { store, collection } = scene
      const { bytes, replicas, undecided } = await store.measure()
      expect(undecided).toEqual({ queued: 0, started: 0, in_doubt: 0 })
      expect(bytes === undefined || bytes > 0).toBe(true)
      expect(replicas === undefined || replicas.wanted > 0).toBe(true)
      const numbers = [1, 2, 3, 4, 5]
      await acceptedKeys(
        scene,
        numbers.map(number => create(`t${number}`, { number })),
      )
      await acceptedKeys({ ...scene, collection: { source: 'Other', partition: '*' } }, [
        create('t6', { number: 1, key: 'key-of-mutation-6' }),
      ])
      await run(scene, 'key-of-mutation-1', { status: 'refused' })
      await start(scene, 'key-of-mutation-2', 1000)
      const { fence } = await start(scene, 'key-of-mutation-3', 1000)
      await store.journal.release(collection, 'key-of-mutation-3', { fence: sure(fence), to: 'in_doubt' })
      await store.journal.flush(collection)
      expect((await store.measure()).undecided).toEqual({ queued: 3, started: 1, in_doubt: 1 })
    })
  })
}
