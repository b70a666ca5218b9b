import { expect, test } from '@jest/globals'
import { descriptions } from '../packages/server/src/http/openapi/descriptions.js'
import { readContract } from './read-contract.js'

test('the descriptions are what the contract says: run node scripts/descriptions.ts after a change', () => {
  expect(descriptions).toEqual(readContract())
})
