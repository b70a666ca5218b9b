import type { Source, SourceContext } from '@godwit/source'
import { COUNTED_METHODS, type CountedMethod } from './metric-keys.js'

type AnyFunction = (...given: readonly unknown[]) => unknown

/** Called after each call of a source, successful or not. */
export type CallObserver = (call: {
  readonly method: CountedMethod
  readonly source: string
  readonly seconds: number
}) => void

/** Returns the source with timed methods. For a stream, only the time spent waiting for its parts counts. */
export function timedSource(source: Source, observe: CallObserver): Source {
  const methods: Record<string, unknown> = { ...source.methods }
  for (const method of COUNTED_METHODS) {
    const call = source.methods[method] as AnyFunction | undefined
    if (call) methods[method] = timedMethod(call, seconds => observe({ method, source: source.name, seconds }))
  }
  return { ...source, methods }
}

/** A call that never returns is reported when it is aborted. */
function timedMethod(call: AnyFunction, observe: (seconds: number) => void): AnyFunction {
  return async (...given) => {
    const watch = new Stopwatch(observe)
    const { signal } = given.at(-1) as SourceContext
    signal.addEventListener('abort', watch.end, { once: true })
    const end = () => {
      signal.removeEventListener('abort', watch.end)
      watch.end()
    }
    watch.start()
    try {
      const answer = await call(...given)
      watch.stop()
      if (isStream(answer)) return timedParts(answer, watch, end)
      end()
      return answer
    } catch (error) {
      end()
      throw error
    }
  }
}

async function* timedParts(parts: AsyncIterable<unknown>, watch: Stopwatch, end: () => void): AsyncGenerator<unknown> {
  const iterator = parts[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      watch.start()
      const { done, value } = await iterator.next()
      watch.stop()
      isOver = done === true
      if (isOver) return
      yield value
    }
  } catch (error) {
    isOver = true
    throw error
  } finally {
    end()
    if (!isOver) await iterator.return?.()
  }
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** Adds up the time between `start` and `stop`, and reports it once, at `end`. */
class Stopwatch {
  readonly #observe: (seconds: number) => void
  #milliseconds = 0
  #since: number | undefined
  #hasEnded = false

  constructor(observe: (seconds: number) => void) {
    this.#observe = observe
  }

  start(): void {
    this.#since ??= performance.now()
  }

  stop(): void {
    if (this.#since !== undefined) this.#milliseconds += performance.now() - this.#since
    this.#since = undefined
  }

  readonly end = (): void => {
    this.stop()
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#observe(this.#milliseconds / 1000)
  }
}
