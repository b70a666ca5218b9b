import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { freePort } from '@godwit/testing'
import { inRepository, type Program, startProgram } from '../harness/process.js'
import { readServices } from './compose.js'
import { dockerfile, readImage } from './image.js'

/** What an operator gives. */
export const GIVEN = { SYNC_ADMIN_PASSWORD: 'a long one of words', REDIS_PASSWORD: '5f0e6a' }

/** The system user who runs the server, where the tests run as root: one who owns no files. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const image = readImage(dockerfile)

interface EnvironmentVariables {
  readonly [name: string]: string
}

/** Containers without an engine: their files in one folder, their processes on this machine. */
export class Containers {
  readonly #root = mkdtempSync(join(tmpdir(), 'godwit-deployed-'))
  /** What the image has, read only. */
  readonly app = join(this.#root, 'app')
  readonly #config = join(this.#root, 'config')
  /** The volume. */
  data = ''

  /** Runs the last command of the stage that builds, into a folder of ours: what it leaves there is all that the image has. */
  build(): void {
    chmodSync(this.#root, 0o755)
    const deploy = image.builds.at(-1) ?? ''
    if (!deploy.endsWith(' /app')) throw new Error(`The build ends with ${deploy}: expected what fills /app.`)
    execFileSync('sh', ['-c', deploy.replace(/\/app$/, this.app)], { cwd: inRepository('.'), stdio: 'pipe' })
    cpSync(inRepository('apps/server/config'), this.#config, { recursive: true })
    execFileSync('chmod', ['-R', 'a-w,a+rX', this.app, this.#config])
  }

  newVolume(): void {
    this.data = mkdtempSync(join(this.#root, 'data-'))
    if (UNPRIVILEGED.uid !== undefined) chownSync(this.data, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  }

  remove(): void {
    execFileSync('chmod', ['-R', 'u+w', this.#root])
    rmSync(this.#root, { recursive: true })
  }

  /** A process that sees nothing of the environment of the tests, nor may write but to the volume. */
  run(command: string, words: readonly string[], environment: EnvironmentVariables): Program {
    const options = { cwd: this.data, env: { PATH: process.env['PATH'] ?? '', ...environment }, ...UNPRIVILEGED }
    return startProgram(command, words, options)
  }

  /** As the image runs: `godwit` is a link to the program. */
  godwit(environment: EnvironmentVariables, words = image.command): Program {
    return this.run(process.execPath, [join(this.app, 'dist/godwit.js'), ...words], environment)
  }

  /** The environment of a service's process: of the image, of the compose file, and a free port, as all share one machine. */
  async environmentOf(service: string, given: EnvironmentVariables = {}): Promise<EnvironmentVariables> {
    const { environment = {} } = readServices(GIVEN)[service] ?? {}
    const port = `${await freePort()}`
    const own = { HOST: '127.0.0.1', PORT: port, SYNC_WORKER_PORT: port, ...given }
    const all = Object.entries({ ...image.environment, ...environment, ...own })
    return Object.fromEntries(all.map(([name, value]) => [name, this.#toLocalPaths(value)]))
  }

  async serve(service: string, given?: EnvironmentVariables) {
    const environment = await this.environmentOf(service, given)
    const server = this.godwit(environment)
    const [, url = ''] = await server.line(/^godwit listening on (\S+)$/m)
    const admin = await AdminClient.login({ url, login: 'admin', password: GIVEN.SYNC_ADMIN_PASSWORD })
    return { environment, server, admin }
  }

  /** Asks as the engine would. */
  async isHealthy(environment: EnvironmentVariables): Promise<boolean> {
    const [name, ...words] = image.healthcheck
    if (name !== 'node') throw new Error(`Expected a check by node, got ${name}.`)
    return (await this.run(process.execPath, words, environment).exit).code === 0
  }

  #toLocalPaths(text: string): string {
    return text.replace(/\/data\b/, this.data).replace(/^\/config\b/, this.#config)
  }
}
