import { expect, test } from '@jest/globals'
import type { OpfsFolder, SyncAccessHandle } from './opfs.js'
import { openPool } from './pool.js'

/** A file of an origin, in memory. */
class Handle implements SyncAccessHandle {
  bytes = new Uint8Array()
  isOpen = true

  read(into: Uint8Array, { at }: { readonly at: number }): number {
    const part = this.bytes.subarray(at, at + into.length)
    into.set(part)
    return part.length
  }

  write(bytes: Uint8Array, { at }: { readonly at: number }): number {
    if (this.bytes.length < at + bytes.length) this.truncate(at + bytes.length)
    this.bytes.set(bytes, at)
    return bytes.length
  }

  getSize(): number {
    return this.bytes.length
  }

  truncate(bytes: number): void {
    const all = new Uint8Array(bytes)
    all.set(this.bytes.subarray(0, bytes))
    this.bytes = all
  }

  flush(): void {}

  close(): void {
    this.isOpen = false
  }
}

type Opened = SyncAccessHandle | Error

/** A folder of files, each with what opening it gives. */
function folderOf(files: readonly Opened[]): OpfsFolder {
  const entry = (file: Opened) => ({
    kind: 'file',
    createSyncAccessHandle: async () => {
      if (file instanceof Error) throw file
      return file
    },
  })
  const values = async function* () {
    for (const file of files) yield entry(file)
  }
  return { kind: 'directory', values, getFileHandle: async () => entry(new Handle()) } as unknown as OpfsFolder
}

const MAIN_DATABASE = 0x100
const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
const requested = (): void => {}

test('names of files lie in their headers as in those of a pool of SQLite', async () => {
  const file = new Handle()
  const pool = await openPool(folderOf([file]), requested)
  pool.add('/device.sqlite', MAIN_DATABASE)
  expect(hex(file.bytes.subarray(0, 16))).toBe('2f6465766963652e73716c6974650000')
  expect(hex(file.bytes.subarray(512, 524))).toBe('0000018021fea96a79e4d4ae')
  expect((await openPool(folderOf([file]), requested)).getFileNames()).toEqual(['/device.sqlite'])
})

test('a file whose header is torn is free, and empty', async () => {
  const file = new Handle()
  const first = await openPool(folderOf([file]), requested)
  first.add('/device.sqlite', MAIN_DATABASE)
  file.write(new Uint8Array([1]), { at: 3 })
  file.write(new Uint8Array([1]), { at: 5000 })
  const again = await openPool(folderOf([file]), requested)
  expect(again.getFileNames()).toEqual([])
  expect(file.getSize()).toBe(4096)
})

test('a pool that cannot have all of its files holds none, once it has asked for all', async () => {
  const [free, taken] = [new Handle(), new Error('taken')]
  let count = 0
  await expect(openPool(folderOf([free, taken]), () => count++)).rejects.toBe(taken)
  expect({ isOpen: free.isOpen, count }).toEqual({ isOpen: false, count: 1 })
})

test('an import of what is no database leaves its file free', async () => {
  const pool = await openPool(folderOf([new Handle()]), requested)
  const parts = [new Uint8Array(512)]
  await expect(pool.importDb('/bulk', async () => parts.shift())).rejects.toThrow('expected an SQLite database')
  expect(pool.getFileNames()).toEqual([])
  pool.add('/next', MAIN_DATABASE)
  expect(pool.getFileNames()).toEqual(['/next'])
})

test('a pool makes the files that it lacks', async () => {
  const pool = await openPool(folderOf([]), requested)
  expect(() => pool.add('/device.sqlite', MAIN_DATABASE)).toThrow('expected a free file')
  await pool.reserveMinimumCapacity(2)
  pool.add('/device.sqlite', MAIN_DATABASE)
  expect({ capacity: pool.getCapacity(), names: pool.getFileNames() }).toEqual({
    capacity: 2,
    names: ['/device.sqlite'],
  })
})
