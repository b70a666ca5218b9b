import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { flawOfNode } from './node-hash.js'

test('another program than the one that is written down is named, and a platform without one', () => {
  const known = { 'linux-x64': 'aa' }
  expect(flawOfNode('linux-x64', 'aa', known)).toBe(undefined)
  expect(flawOfNode('linux-x64', 'bb', known)).toContain('to have the SHA-256 aa, got bb')
  expect(flawOfNode('darwin-arm64', 'aa', known)).toContain('expected a hash of Node for darwin-arm64')
})

const isWrittenDown = process.platform === 'linux' && process.arch === 'x64'
const testHere = isWrittenDown ? test : test.skip
testHere('the Node that this repository installed is the one that is written down', () => {
  const bytes = readFileSync(new URL('../node_modules/node/bin/node', import.meta.url))
  expect(flawOfNode('linux-x64', createHash('sha256').update(bytes).digest('hex'))).toBe(undefined)
})
