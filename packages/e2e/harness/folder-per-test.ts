import { afterEach, beforeEach } from '@jest/globals'
import { endAll } from './process.js'
import { temporaryFolder } from './stores.js'

/** Returns a new empty folder for each test. After the test, its processes are ended and the folder is removed. */
export function folderPerTest(): { readonly path: string } {
  let folder: ReturnType<typeof temporaryFolder> | undefined
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await endAll()
    folder?.remove()
  })
  return {
    get path() {
      if (folder === undefined) throw new Error('A folder is there only while a test runs.')
      return folder.path
    },
  }
}
