import { expect, test } from '@jest/globals'
import { requireNode } from './require-node.js'

test.each(['22.18.0', '22.20.1', '24.0.0', '26.1.0'])('opens on Node %s', version => {
  expect(() => requireNode(version)).not.toThrow()
})

test.each(['18.20.4', '20.20.2', '22.17.9'])('says what is expected on Node %s', version => {
  expect(() => requireNode(version)).toThrow(`expected Node >= 22.18, found ${version}`)
})
