import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const program = inRepository('packages/e2e/harness/programs/commonjs-journey.cjs')

test.each(STORES)('server, store, device and admin client work by require, over $name', async ({ name, address }) => {
  const folder = temporaryFolder()
  const store = name === 'Redis' ? await address(folder.path) : name.toLowerCase()
  const written = execFileSync(process.execPath, [program, store], { encoding: 'utf8' })
  expect(JSON.parse(written)).toMatchObject({
    shown: ['first', 'second'],
    refused: ['A note has text.'],
    error: 'invalid_credentials',
    users: ['ada'],
    stored: ['first', 'second'],
  })
  folder.remove()
})
