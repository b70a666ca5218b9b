import { inRepository, type Program, start } from './process.js'

export interface ServerProcess extends Program {
  readonly url: string
}

export interface ServerOptions {
  /** `memory:` or `sqlite:PATH`. */
  readonly store: string
  /** A file in harness/configs; without it, the demo runs. */
  readonly config?: string
  /** Lets a restarted server keep its port. Default: a free one. */
  readonly port?: number
  readonly environment?: { readonly [name: string]: string }
}

export const ADMIN_PASSWORD = 'a password of tests'

/** Starts the deployable server as a process; resolves when it listens. */
export async function startServer({
  store,
  config,
  port = 0,
  environment = {},
}: ServerOptions): Promise<ServerProcess> {
  const program = start(inRepository('apps/server/dist/godwit.js'), ['start'], {
    PORT: String(port),
    SYNC_STORE: store,
    SYNC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SYNC_CONFIG: config === undefined ? undefined : inRepository(`packages/e2e/harness/configs/${config}`),
    SYNC_DEMO_VISITS: 'false',
    NODE_ENV: undefined,
    ...environment,
  })
  const [, url = ''] = await program.line(/^godwit listening on (http:\S+)$/m)
  return Object.assign(program, { url })
}
