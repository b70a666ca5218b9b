import type { SqlValue, Statement } from '../platform/driver.js'

/** Returns a statement that compiles at first use, because opening a device prepares many and uses few. `tell` is called before each use. */
export function lazyStatement(compile: () => Statement, beforeUse: () => void, given?: Statement): Statement {
  let compiled = given
  const use = (): Statement => {
    beforeUse()
    compiled ??= compile()
    return compiled
  }
  return {
    run: (...values: readonly SqlValue[]) => use().run(...values),
    get: (...values: readonly SqlValue[]) => use().get(...values),
    all: (...values: readonly SqlValue[]) => use().all(...values),
    arrays: (...values: readonly SqlValue[]) => use().arrays(...values),
    iterate: (...values: readonly SqlValue[]) => use().iterate(...values),
    iterateArrays: (...values: readonly SqlValue[]) => use().iterateArrays(...values),
    get readonly() {
      compiled ??= compile()
      return compiled.readonly
    },
    free: () => compiled?.free(),
  }
}
