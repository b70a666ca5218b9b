import { expect, test } from '@jest/globals'
import { testEngine } from '../engine.fixture.js'
import { defineSource } from '../sources/define-source.js'
import { compactAll } from './compact-all.js'

test('keeps the history that a query of an eventually consistent backend must not overwrite', async () => {
  const engine = await testEngine([defineSource({ name: 'Visit', settle: 10 })])
  const collection = { source: 'Visit', partition: 'user:ada' }
  const { collections } = engine.store
  await collections.apply(collection, { remove: ['old'] })
  engine.pass(11_000)
  await collections.apply(collection, { remove: ['new'] })
  await compactAll(engine)
  expect(await collections.head(collection)).toMatchObject({ version: 2, floor: 1 })
  engine.pass(11_000)
  await compactAll(engine)
  expect(await collections.head(collection)).toMatchObject({ version: 2, floor: 2 })
})
