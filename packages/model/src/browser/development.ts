import type { Sdk } from '../sdk/sdk.js'
import type { BrowserStorage } from './open-storage.js'
import { missingCapability } from './support.js'

/** Origins of this machine, as while an app is developed. A page over plain http is never a finished app. */
const LOCAL = /^https?:\/\/(localhost|[^/]+\.localhost|127\.[\d.]+|\[::1\])(:\d+)?$/

const isDevelopment = (): boolean => !isSecureContext || LOCAL.test(origin)

/** What a developer should know about the device that a worker serves: each warning is on the console once, and in development only. */
export class DevelopmentWarnings {
  readonly #server: string | undefined
  readonly #warned = new Set<string>()

  constructor(server: string | undefined, { storage }: Pick<BrowserStorage, 'storage'>) {
    this.#server = server
    const reason = missingCapability() ?? 'this browser refuses to store files, as in private windows'
    if (storage === 'memory') this.#warn(`Data is stored in memory only and is lost when this page closes: ${reason}.`)
  }

  async watch(sdk: Pick<Sdk, 'events'>): Promise<void> {
    if (!isDevelopment()) return
    for await (const event of sdk.events())
      if (event.kind === 'error' && event.error.code === 'source_not_found')
        this.#warn(
          `${this.#server} has no source "${event.source}", so this model does not sync. Add defineSource({ name: '${event.source}', … }) to the sources of the server.`,
        )
  }

  /** A server of Godwit sends no web page, and each error as a problem. */
  readonly answered = ({ ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>): void => {
    const type = headers.get('content-type') ?? 'no content type'
    const isForeign = type.startsWith('text/html') || (!ok && !type.startsWith('application/problem+json'))
    if (isForeign)
      this.#warn(
        `${this.#server} responds, but is not a Godwit server: status ${status}, ${type}. Check the address, and that a development server forwards /rc and /app to it.`,
      )
  }

  #warn(text: string): void {
    if (this.#warned.has(text) || !isDevelopment()) return
    this.#warned.add(text)
    // biome-ignore lint/suspicious/noConsole: the developer of the page reads it there
    console.warn(`Godwit: ${text}`)
  }
}
