import { defineSource } from '@godwit/source'
import { COMMIT_LIFE } from '@godwit/store/history'
import { expect, test } from '@jest/globals'
import { testEngine } from '../../testing/engine.fixture.js'
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

test('forgets who made old changes of a copy that nothing was written to since', async () => {
  const engine = await testEngine([defineSource({ name: 'Visit' })])
  const collection = { source: 'Visit', partition: 'user:ada' }
  const { collections } = engine.store
  await collections.apply(collection, { merge: { a: {} } }, { origin: { kind: 'push', login: 'billing' } })
  await compactAll(engine)
  engine.pass(COMMIT_LIFE)
  await compactAll(engine)
  // By the clock of the commit, so that its age alone would not hide it.
  engine.pass(1000 - COMMIT_LIFE)
  expect(await collections.history(collection, 'a', { limit: 9 })).toMatchObject({ earlier: 'forgotten' })
})
