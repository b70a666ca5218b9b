import { expect, test } from '@jest/globals'
import { queryText } from './query-text.js'

test.each([
  ['{"order":[]}', 'all rows'],
  ['SELECT count(*) FROM Visit', 'SELECT count(*) FROM Visit'],
  [
    '{"search":"par","order":[{"attribute":"population","direction":"DESC"}],"limit":500}',
    'search “par” · by population ↓ · at most 500',
  ],
  [
    '{"order":[],"condition":{"kind":"compare","attribute":"object","operator":"=","value":"7"},"limit":1}',
    'where id = "7" · at most 1',
  ],
  [
    '{"order":[],"with":[{"as":"city"}],"condition":{"kind":"or","parts":[{"kind":"compare","attribute":"rating","operator":">","value":3},{"kind":"sql","sql":"note IS NULL"}]}}',
    'where (rating > 3) or (note IS NULL) · with city',
  ],
  ['{broken', '{broken'],
])('%s is shown as %s', (text, displayed) => {
  expect(queryText(text)).toBe(displayed)
})
