import { expect, test } from '@jest/globals'
import { decideEach, decisionText } from './decide-each.js'

const some = ['1', '2', '3'].map(id => ({ id }))

test('one that fails stops none of the others, and is told with its reason', async () => {
  const tried: string[] = []
  const end = await decideEach(some, async id => {
    tried.push(id)
    if (id === '2') throw new Error('It is decided already.')
  })
  expect(tried).toEqual(['1', '2', '3'])
  expect(decisionText(end, 'discarded')).toBe('2 mutations were discarded; 1 mutation was not: It is decided already.')
})

test('where all are decided nothing else is told, and where all fail it is a failure', async () => {
  expect(decisionText(await decideEach(some.slice(0, 1), async () => {}), 'retried')).toBe('1 mutation was retried.')
  await expect(decideEach(some, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})
