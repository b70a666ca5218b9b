/** Environment variables by name, as in `process.env`. */
export interface Environment {
  readonly [name: string]: string | undefined
}
