import { property } from './property.js'
import { answersOf } from './same/store-answers.js'
import { type Conformance, canonical, suiteOf, withScene } from './suite.js'

/**
 * Compares the answers of two stores, `open` and `reference`, to the same random history. Epochs, marks, fences and sequences may differ, but must
 * repeat in the same places.
 */
export function describeSameAnswers(conformance: Conformance & { readonly reference: Conformance['open'] }): void {
  const suite = suiteOf(conformance)
  suite.describe('the same history', () => {
    property(suite, 'gives the same answers as the reference', async () => [
      (await import('./same/questions.js')).histories,
      async history => {
        const reference = { open: conformance.reference }
        const expected = await withScene(reference, scene => answersOf(scene, history))
        const answers = await withScene(suite, scene => answersOf(scene, history))
        suite.expect(answers.map(canonical)).toEqual(expected.map(canonical))
      },
    ])
  })
}
