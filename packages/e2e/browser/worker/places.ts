import { type BrowserStorage, openStorage } from '@godwit/model/browser/worker'
import type { Drive } from '@godwit/model/driver'
import type { PlaceUnderTest } from '@godwit/model/driver-suite'

let opened: Promise<BrowserStorage> | undefined
let count = 0

/** One pool of files for all tests of a worker. */
const storage = (): Promise<BrowserStorage> => (opened ??= openStorage({ name: 'tests', wasm: '/sqlite3.wasm' }))

const DATABASES = ['device', 'user', 'app', 'local', 'x', 'bulk', 'other']

/** A drive whose files lie in a folder of that pool. */
export async function driveIn(folder: string): Promise<Drive> {
  const { drive } = await storage()
  const path = (file: string): string => `${folder}/${file}`
  return {
    ...drive,
    open(file) {
      const driver = drive.open(path(file))
      return {
        ...driver,
        attach: (name, schema) => driver.attach(path(name), schema),
        attachPlain: (name, schema) => driver.attachPlain(path(name), schema),
      }
    },
    delete: file => drive.delete(path(file)),
  }
}

export const newFolder = (): string => `place-${++count}`

export async function removeFolder(folder: string): Promise<void> {
  const { drive } = await storage()
  for (const name of DATABASES) drive.delete(`${folder}/${name}.sqlite`)
}

/** An empty place for one test. */
export async function openPlace(): Promise<PlaceUnderTest> {
  const folder = newFolder()
  return { drive: await driveIn(folder), discard: () => removeFolder(folder) }
}
