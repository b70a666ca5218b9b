import { closedError } from './failure.js'

type HandleMethod = (...given: never[]) => unknown

/** Admits operations until it is closed, and tracks those in progress. */
export class Gate {
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  assertOpen(): void {
    if (this.#isClosed) throw closedError()
  }

  /** Wraps a capability so that its calls pass this gate. */
  guard<Capability extends object>(capability: Capability): Capability {
    const methods = Object.entries(capability).map(([name, method]) => [
      name,
      async (...given: never[]) => {
        this.assertOpen()
        return this.#track((async () => (method as HandleMethod)(...given))())
      },
    ])
    return Object.fromEntries(methods) as Capability
  }

  /** Rejects new operations, and resolves when those in progress are done. Resolves to false if it was closed before. */
  async close(): Promise<boolean> {
    const isFirst = !this.#isClosed
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
    return isFirst
  }

  #track<Result>(operation: Promise<Result>): Promise<Result> {
    this.#underWay.add(operation)
    const leave = () => this.#underWay.delete(operation)
    operation.then(leave, leave)
    return operation
  }
}
