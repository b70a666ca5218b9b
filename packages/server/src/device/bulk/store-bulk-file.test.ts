import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { MAX_BLOB_PART, openMemoryStore, type Store } from '@godwit/store'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { bulkScope } from '../../base/blob-scopes.js'
import { storeBulkFile } from './store-bulk-file.js'

const KEY = 'key'
const { signal } = new AbortController()
/** Content larger than a part, and hardly compressible. */
const content = randomBytes(2 * MAX_BLOB_PART + 1)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-bulk-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Builds of the same file, as two processes make them. */
function build(store: Store, name: string): Promise<{ readonly hash: string; readonly size: number }> {
  const path = join(folder, name)
  writeFileSync(path, content)
  return storeBulkFile({ store }, { key: KEY, path, signal })
}

async function expectWhole(store: Store, hash: string): Promise<void> {
  const blob = { scope: bulkScope(KEY), name: hash }
  const { size = 0 } = (await store.blobs.find(blob)) ?? {}
  const zipped = await store.blobs.read(blob, { offset: 0, length: size })
  expect(createHash('sha256').update(zipped).digest('hex')).toBe(hash)
  expect(gunzipSync(zipped).equals(content)).toBe(true)
}

test('builds of the same file at the same time all keep it whole', async () => {
  const store = openMemoryStore()
  const files = await Promise.all(['a', 'b', 'c', 'd'].map(name => build(store, name)))
  const [first] = files
  expect(files).toEqual(files.map(() => first))
  await expectWhole(store, first?.hash ?? '')
})

test('a build goes on where one that died ended, and begins again where a sweep removed it', async () => {
  const store = openMemoryStore()
  const { append, remove } = store.blobs
  let parts = 0
  const dying: Store = {
    ...store,
    blobs: {
      ...store.blobs,
      append: (...given) => (++parts === 2 ? Promise.reject(new Error('the process died')) : append(...given)),
    },
  }
  await expect(build(dying, 'a')).rejects.toThrow('the process died')
  let isSwept = false
  const swept: Store = {
    ...store,
    blobs: {
      ...store.blobs,
      append: async (...given) => {
        const facts = await append(...given)
        if (!isSwept) await remove(given[0])
        isSwept = true
        return facts
      },
    },
  }
  const { hash } = await build(swept, 'b')
  await expectWhole(store, hash)
})
