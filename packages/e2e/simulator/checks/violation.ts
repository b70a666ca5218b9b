/** A promise that the product broke. */
export class Violation extends Error {
  readonly promise: string

  constructor(promise: string, found: string) {
    super(`${promise}: ${found}`)
    this.promise = promise
  }
}
