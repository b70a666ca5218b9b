import { afterAll, afterEach, beforeAll } from '@jest/globals'
import type { StaticServer } from '../harness/browser-bundle.js'
import type { Profile, Tab } from '../harness/tabs.js'
import { type NotesOptions, type NotesServer, openTab, type Parameters, serveNotes, servePages } from './app.js'

interface NotesWorld {
  /** Of the running test, once it called `serve`. */
  readonly server: NotesServer
  serve(options?: NotesOptions): Promise<NotesServer>
  /** Opens a page whose device syncs with the server. */
  open(profile: Profile, parameters?: Parameters, script?: string): Promise<Tab>
  /** Stops the server before the end of the test; another one can follow on its port. */
  stop(): Promise<void>
}

/** Serves the pages of the small app to the tests of a file, and to each test a sync server; both end by themselves. */
export function notesWorld(): NotesWorld {
  let pages: StaticServer | undefined
  let server: NotesServer | undefined
  beforeAll(async () => {
    pages = await servePages()
  }, 120_000)
  afterEach(async () => {
    await server?.server.close()
    server = undefined
  })
  afterAll(async () => {
    await pages?.close()
  })
  const served = (): StaticServer => {
    if (pages) return pages
    throw new Error('expected a running test, got none: the pages are served before the first')
  }
  const world: NotesWorld = {
    get server() {
      if (server) return server
      throw new Error('expected a running server, got none: call serve first')
    },
    async serve(options) {
      server = await serveNotes([served().url], options)
      return server
    },
    open: (profile, parameters, script) =>
      openTab(profile, served(), { server: world.server.url, ...parameters }, script),
    stop: () => world.server.server.close(),
  }
  return world
}
