import type { Statement } from '@godwit/model/driver'

/** A statement of a process that may end before it, or after: `strike` throws once it is dead. */
export function crashableStatement(statement: Statement, strike: (edge: 'before' | 'after') => void): Statement {
  const around =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Result) =>
    (...values: Values): Result => {
      strike('before')
      const result = run(...values)
      strike('after')
      return result
    }
  return {
    run: around(statement.run),
    get: around(statement.get),
    all: around(statement.all),
    arrays: around(statement.arrays),
    iterate: around(statement.iterate),
    iterateArrays: around(statement.iterateArrays),
    readonly: statement.readonly,
    free: statement.free,
  }
}
