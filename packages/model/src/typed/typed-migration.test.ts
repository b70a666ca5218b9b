import { expect, test } from '@jest/globals'
import { defineModel } from './define-model.js'
import { t } from './t.js'

test('defineModel refuses a migration that is no function', () => {
  expect(() => defineModel('Person', { attributes: { name: t.string() }, migrate: 'split' as never })).toThrow(
    expect.objectContaining({
      code: 'definition_invalid',
      message: 'The migration of Person: expected a function, got "split".',
    }),
  )
})
