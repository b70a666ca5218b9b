import { afterEach } from '@jest/globals'
import type { Profile, Tab } from '../harness/tabs.js'
import { type AppParameters, type NotesOptions, type NotesServer, openTab, serveNotes } from './app.js'
import { usePages } from './use-pages.js'

interface NotesWorld {
  /** Of the running test, once it called `serve`. */
  readonly server: NotesServer
  serve(options?: NotesOptions): Promise<NotesServer>
  /** Opens a page whose device syncs with the server. */
  open(profile: Profile, parameters?: AppParameters, script?: string): Promise<Tab>
  /** Stops the server before the end of the test; another one can follow on its port. */
  stop(): Promise<void>
}

/** Serves the pages of the small app to the tests of a file, and to each test a sync server; both end by themselves. */
export function notesWorld(): NotesWorld {
  const pages = usePages()
  let server: NotesServer | undefined
  afterEach(async () => {
    await server?.server.close()
    server = undefined
  })
  const world: NotesWorld = {
    get server() {
      if (server) return server
      throw new Error('expected a running server, got none: call serve first')
    },
    async serve(options) {
      server = await serveNotes([pages.url], options)
      return server
    },
    open: (profile, parameters, script) => openTab(profile, pages, { server: world.server.url, ...parameters }, script),
    stop: () => world.server.server.close(),
  }
  return world
}
