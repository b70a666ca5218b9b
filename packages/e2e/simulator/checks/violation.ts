/** A broken promise of the product. */
export class Violation extends Error {
  readonly promise: string

  constructor(promise: string, found: string) {
    super(`${promise}: ${found}`)
    this.promise = promise
  }
}
