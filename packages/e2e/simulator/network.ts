import type { Agenda } from './agenda.js'
import type { Dice } from './dice.js'
import type { Servers } from './server.js'

export interface NetworkParts {
  readonly agenda: Agenda
  readonly servers: Servers
  readonly dice: () => Dice
  /** Shares of messages. */
  readonly troubles: () => { readonly lost: number; readonly doubled: number }
}

/** Who sends: nothing is delivered to a process that is dead. */
export interface Sender {
  readonly name: string
  readonly isDead: boolean
  /** An answer came. */
  touch(): void
}

const noNetwork = (): TypeError => new TypeError('fetch failed')

/** Between devices and servers: every message arrives at some moment, or never, or twice. */
export class Network {
  readonly #parts: NetworkParts
  /** Requests of devices that are not answered yet. */
  open = 0

  constructor(parts: NetworkParts) {
    this.#parts = parts
  }

  fetchOf(sender: Sender): typeof fetch {
    return (input, init) => {
      const request = (): Request => new Request(input as string, { ...init, signal: null })
      const what = `${sender.name}: ${init?.method ?? 'GET'} ${String(input)
        .replace('http://sync.test', '')
        .replace(/token=[^&]*/, 'token')}`
      return new Promise((resolve, reject) => {
        this.open++
        const settle =
          <Value>(run: (value: Value) => void) =>
          (value: Value): void => {
            this.open--
            this.#parts.agenda.stir()
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
    const { agenda, dice, troubles } = this.#parts
    agenda.add(`→ ${what}`, () => {
      if (dice().chance(troubles().lost)) return to.fail()
      if (dice().chance(troubles().doubled))
        agenda.add(`→ once more ${what}`, () => void this.#ask(request()).catch(() => {}))
      this.#ask(request()).then(
        response =>
          agenda.add(`← ${response.status} ${what}`, () =>
            dice().chance(troubles().lost) ? to.fail() : to.answer(response),
          ),
        () => agenda.add(`← broken ${what}`, to.fail),
      )
    })
  }

  async #ask(request: Request): Promise<Response> {
    const { status, headers, text } = await this.#parts.servers.fetch(request, this.#parts.dice())
    return new Response(text, { status, headers })
  }
}
