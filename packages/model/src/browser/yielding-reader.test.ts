import { expect, test } from '@jest/globals'
import type { SyncAccessHandle } from './opfs.js'
import { truncateInSteps, yieldingReader } from './yielding-reader.js'

const MEBIBYTE = 1024 * 1024

/** A file of which the size alone is kept, and what was done with it. */
function sizedFile(size = 0): SyncAccessHandle & { readonly done: string[] } {
  const done: string[] = []
  return {
    done,
    read: () => 0,
    write: bytes => bytes.length,
    getSize: () => size,
    truncate(to) {
      done.push(`cut off ${(size - to) / MEBIBYTE}`)
      size = to
    },
    flush: () => void done.push('flushed'),
    close() {},
  }
}

/** Notes each turn that others in the thread have, until it is told to stop. */
function recordedTurns(done: string[]): () => void {
  let timer = setTimeout(function note() {
    done.push('others')
    timer = setTimeout(note)
  })
  return () => clearTimeout(timer)
}

test('a large file is written in turns, and flushed in parts', async () => {
  const file = sizedFile()
  let now = 0
  let left = 32
  const next = async () => (left-- > 0 ? new Uint8Array(MEBIBYTE) : undefined)
  const give = yieldingReader(next, () => (now += 7))
  const stop = recordedTurns(file.done)
  for (let part = await give(file); part; part = await give(file));
  stop()
  expect(file.done.filter(what => what === 'flushed')).toHaveLength(4)
  expect(file.done.filter(what => what === 'others').length).toBeGreaterThanOrEqual(8)
  expect(file.done.join()).not.toMatch(/flushed,flushed/)
})

test('a large file is cut down in turns, and a small one is left as it is', async () => {
  const file = sizedFile(100 * MEBIBYTE)
  const stop = recordedTurns(file.done)
  await truncateInSteps(file, () => true)
  stop()
  expect(file.done.filter(what => what !== 'others')).toEqual(['cut off 32', 'cut off 32', 'cut off 32'])
  expect(file.done.join()).not.toMatch(/32,cut/)
  expect(file.getSize()).toBe(4 * MEBIBYTE)
  await truncateInSteps(file, () => true)
  expect(file.getSize()).toBe(4 * MEBIBYTE)
})

test('a file that is another one meanwhile is cut no further', async () => {
  const file = sizedFile(100 * MEBIBYTE)
  await truncateInSteps(file, () => file.done.length === 0)
  expect(file.done).toEqual(['cut off 32'])
})
