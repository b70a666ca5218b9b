import { afterAll, beforeAll } from '@jest/globals'
import type { StaticServer } from '../harness/browser-bundle.js'
import { type Preludes, servePages } from './app.js'

/** Serves the pages of the small app to the tests of a file. */
export function usePages(preludes: Preludes = {}): Pick<StaticServer, 'url'> {
  let server: StaticServer | undefined
  beforeAll(async () => {
    server = await servePages(preludes)
  }, 120_000)
  afterAll(async () => {
    await server?.close()
  })
  return {
    get url() {
      if (server) return server.url
      throw new Error('expected a running test, got none: the pages are served before the first')
    },
  }
}
