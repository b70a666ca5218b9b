/** Variables by name, as `process.env` has them. */
export interface Environment {
  readonly [name: string]: string | undefined
}
