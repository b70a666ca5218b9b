import type { SqlValue, Statement } from './driver.js'

/** A statement that is compiled at its first use: an opening prepares many, and uses few. */
export function lazyStatement(compile: () => Statement): Statement {
  let compiled: Statement | undefined
  const use = (): Statement => {
    if (compiled) return compiled
    const made = compile()
    compiled = made
    // Hot paths call the compiled one directly from here on.
    lazy.run = made.run.bind(made)
    lazy.get = made.get.bind(made)
    lazy.all = made.all.bind(made)
    lazy.arrays = made.arrays.bind(made)
    lazy.iterate = made.iterate.bind(made)
    lazy.iterateArrays = made.iterateArrays.bind(made)
    return made
  }
  const lazy = {
    run: (...values: readonly SqlValue[]) => use().run(...values),
    get: (...values: readonly SqlValue[]) => use().get(...values),
    all: (...values: readonly SqlValue[]) => use().all(...values),
    arrays: (...values: readonly SqlValue[]) => use().arrays(...values),
    iterate: (...values: readonly SqlValue[]) => use().iterate(...values),
    iterateArrays: (...values: readonly SqlValue[]) => use().iterateArrays(...values),
    get readonly() {
      return use().readonly
    },
    free: () => compiled?.free(),
  }
  return lazy
}
