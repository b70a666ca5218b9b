import { describe, expect, test } from '@jest/globals'
import { unsupportedNode } from './require-node.js'

describe('the Node that is needed', () => {
  test.each(['22.18.0', '22.20.1', '24.0.0', '26.10.0'])('%s runs', version => {
    expect(unsupportedNode('godwit', version)).toBeUndefined()
  })

  test.each(['18.20.0', '20.20.2', '22.17.9'])(
    '%s is refused with what was expected, what was found and what to do',
    version => {
      expect(unsupportedNode('godwit', version)).toMatch(
        /^godwit: expected Node >= 22\.18, found \d+\.\d+\.\d+\. Install/,
      )
    },
  )
})
