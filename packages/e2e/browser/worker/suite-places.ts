import { type BrowserStorage, openStorage } from '@godwit/model/browser/worker'
import type { DeviceFiles, Drive } from '@godwit/model/driver'

interface Place {
  readonly storage: BrowserStorage
  /** Closes what a test left open, and removes all files. */
  empty(): void
}

/** As tests for Node name a driver. */
export const DRIVERS = ['opfs'] as const
export type DriverName = (typeof DRIVERS)[number]

const DATABASES = ['device', 'user', 'app', 'local', 'x', 'bulk', 'other']
const places = new Map<string, Promise<Place>>()
const free: Place[] = []
let owner = ''
let pools = 0
let folders = 0

/** Puts the files of this worker beside those that others left. */
export function nameAfter(suite: string): void {
  owner = suite
}

/** Opens files of the origin, or takes those of a test that is over. */
async function openPlace(): Promise<Place> {
  const again = free.pop()
  if (again) return again
  const storage = await openStorage({ name: `${owner} ${++pools}`, wasm: '/sqlite3.wasm' })
  const opened = new Map<string, { close(): void }>()
  const { drive } = storage
  return {
    storage: {
      ...storage,
      drive: {
        ...drive,
        open(file) {
          // Handles are exclusive: who opens a file again stands for a process that died and was started again.
          opened.get(file)?.close()
          const driver = drive.open(file)
          opened.set(file, driver)
          return driver
        },
      },
    },
    empty() {
      for (const driver of opened.values()) driver.close()
      opened.clear()
      for (const name of DATABASES) drive.delete(`${name}.sqlite`)
    },
  }
}

function placeOf(directory: string): Promise<Place> {
  const place = places.get(directory) ?? openPlace()
  places.set(directory, place)
  return place
}

/** Stands in for the drivers of Node, on files of the origin. */
export const driveOn = async (_driver: string, directory: string): Promise<Drive> =>
  (await placeOf(directory)).storage.drive

export const filesOn = async (directory: string): Promise<DeviceFiles> => (await placeOf(directory)).storage.files

/** Names of folders, whose files go when the test is over. */
export function temporaryDirectories(): { make(): string; removeAll(): void } {
  const made: string[] = []
  return {
    make() {
      const directory = `folder-${++folders}`
      made.push(directory)
      return directory
    },
    removeAll() {
      for (const directory of made.splice(0)) {
        const place = places.get(directory)
        places.delete(directory)
        void place?.then(opened => {
          opened.empty()
          free.push(opened)
        })
      }
    },
  }
}
