import { expect, test } from '@jest/globals'
import { descriptions } from '../packages/server/src/http/openapi/descriptions.js'
import { readContract } from './read-contract.js'

test('the descriptions match the contract (else run node scripts/descriptions.ts)', () => {
  expect(descriptions).toEqual(readContract())
})
