import type { Sender } from '../actors/sender.js'
import type { Servers } from '../actors/servers.js'
import type { Dice } from './dice.js'
import type { Scheduler } from './scheduler.js'

interface StreamParts {
  readonly scheduler: Scheduler
  readonly servers: Servers
  readonly dice: () => Dice
  readonly troubles: () => { readonly lost: number }
}

const brokenStreamError = (): TypeError => new TypeError('terminated')

/** Returns a `fetch` for long-lived streams: the scheduler delivers each chunk, and the stream may break at any of them. */
export const streamOf =
  (parts: StreamParts, sender: Sender): typeof fetch =>
  (input, init) =>
    new Promise((resolve, reject) => {
      const { scheduler, servers, dice, troubles } = parts
      const what = `${sender.name}: events`
      const arrive = (run: () => void): void => {
        sender.touch()
        if (!sender.isDead) run()
      }
      scheduler.add(`→ ${what}`, () => {
        if (dice().chance(troubles().lost)) return arrive(() => reject(new TypeError('fetch failed')))
        const request = new Request(input as string, { ...init, signal: null })
        servers.open(request, dice()).then(
          ({ response, lifetime }) =>
            scheduler.add(`← ${response.status} ${what}`, () =>
              arrive(() => resolve(relay(response, { parts, lifetime, what, arrive, signal: init?.signal }))),
            ),
          () => scheduler.add(`← broken ${what}`, () => arrive(() => reject(new TypeError('fetch failed')))),
        )
      })
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })

interface RelayOptions {
  readonly parts: StreamParts
  readonly lifetime: { readonly isOver: boolean; onEnd(run: () => void): void }
  readonly what: string
  readonly arrive: (run: () => void) => void
  readonly signal: AbortSignal | null | undefined
}

function relay(response: Response, { parts, lifetime, what, arrive, signal }: RelayOptions): Response {
  const { scheduler, dice, troubles } = parts
  const reader = response.body?.getReader()
  let isOver = reader === undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (run: () => void): void => {
        if (isOver) return
        isOver = true
        void reader?.cancel().catch(() => {})
        scheduler.recordActivity()
        arrive(run)
      }
      const cut = (): void => end(() => controller.error(brokenStreamError()))
      lifetime.onEnd(cut)
      signal?.addEventListener('abort', cut)
      const next = async (): Promise<void> => {
        while (!isOver) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
          await scheduler.delay(`← ${what}`)
          if (dice().chance(troubles().lost)) return cut()
          if (done || value === undefined) return end(() => controller.close())
          if (!isOver) arrive(() => controller.enqueue(value))
        }
      }
      next().catch(cut)
    },
    cancel() {
      isOver = true
      void reader?.cancel().catch(() => {})
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
