import type { Sender } from '../actors/sender.js'
import type { Servers } from '../actors/servers.js'
import type { Counted } from './counts.js'
import type { Dice } from './dice.js'
import { streamOf } from './live-stream.js'
import type { Scheduler } from './scheduler.js'

export interface NetworkParts {
  readonly scheduler: Scheduler
  readonly servers: Servers
  readonly dice: () => Dice
  /** Probabilities of faults. */
  readonly troubles: () => { readonly lost: number; readonly doubled: number; readonly cut?: number }
  readonly count: (name: Counted) => void
}

const noNetwork = (): TypeError => new TypeError('fetch failed')

/** The network between devices and servers: a message arrives after a drawn delay, is lost, or arrives twice. */
export class Network {
  readonly #parts: NetworkParts
  /** Number of requests that devices have sent. */
  sent = 0
  /** Number of pending requests. */
  open = 0

  constructor(parts: NetworkParts) {
    this.#parts = parts
  }

  /** Returns a `fetch` for long-lived responses. */
  streamOf(sender: Sender): typeof fetch {
    return streamOf(this.#parts, sender)
  }

  fetchOf(sender: Sender): typeof fetch {
    return (input, init) => {
      this.sent++
      const request = (): Request => new Request(input as string, { ...init, signal: null })
      const what = `${sender.name}: ${init?.method ?? 'GET'} ${String(input)
        .replace('http://sync.test', '')
        .replace(/token=[^&]*/g, 'token')}`
      return new Promise((resolve, reject) => {
        this.open++
        const settle =
          <Value>(run: (value: Value) => void) =>
          (value: Value): void => {
            this.open--
            this.#parts.scheduler.recordActivity()
            sender.touch()
            if (!sender.isDead) run(value)
          }
        let over = false
        const once = (run: () => void): void => {
          if (over) return
          over = true
          run()
        }
        const answer = settle(resolve)
        const fail = settle(reject)
        init?.signal?.addEventListener('abort', () => once(() => fail(init.signal?.reason)))
        this.#send(what, request, {
          answer: response => once(() => answer(response)),
          fail: () => once(() => fail(noNetwork())),
        })
      })
    }
  }

  #send(what: string, request: () => Request, to: { answer(response: Response): void; fail(): void }): void {
    const { scheduler, dice, troubles, count } = this.#parts
    scheduler.add(`→ ${what}`, () => {
      if (dice().chance(troubles().lost)) {
        count('requests lost')
        return to.fail()
      }
      if (dice().chance(troubles().doubled)) {
        count('messages doubled')
        scheduler.add(`→ once more ${what}`, () => void this.#ask(request()).catch(() => {}))
      }
      this.#ask(request()).then(
        response =>
          scheduler.add(`← ${response.status} ${what}`, () => {
            if (!dice().chance(troubles().lost)) return to.answer(response)
            count('answers lost')
            to.fail()
          }),
        () => scheduler.add(`← broken ${what}`, to.fail),
      )
    })
  }

  async #ask(request: Request): Promise<Response> {
    const { dice, servers, troubles } = this.#parts
    const { status, headers, text, bytes } = await servers.fetch(request, dice())
    if (bytes === undefined) return new Response(text, { status, headers })
    const isCut = dice().chance(troubles().cut ?? 0)
    return new Response(isCut ? truncatedBody(bytes, dice().below(bytes.length)) : bytes, { status, headers })
  }
}

/** Returns a body that fails after this number of bytes. */
function truncatedBody(bytes: Uint8Array, at: number): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream({
    pull(controller) {
      if (isOver) return controller.error(new TypeError('terminated'))
      isOver = true
      if (at > 0) controller.enqueue(bytes.slice(0, at))
      else controller.error(new TypeError('terminated'))
    },
  })
}
