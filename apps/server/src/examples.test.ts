import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openDevice } from './testing/device.js'
import { workshop } from './testing/run-godwit.js'

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

/** The first block of JavaScript in a page. */
function exampleIn(page: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8')
  return /^```js\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
}

test.each(['apps/server/README.md', 'docs/operating/configure.md'])(
  'the configuration in %s runs as it stands there',
  async page => {
    writeFileSync(join(shop.folder, 'godwit.config.mjs'), exampleIn(page))
    const godwit = shop.run({ environment: { SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.mjs' } })
    const ada = await openDevice(await godwit.listening, 'ada')
    const notes = await ada.pull('Note')
    expect(await notes.json()).toMatchObject({ insert: { 1: { text: 'Water the plants' } } })
  },
)
