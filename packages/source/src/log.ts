/**
 * The part of a logger that the server uses, like pino's. `error` = needs attention; `info` = a state changed; `debug` = the rest; never secrets or
 * attributes.
 */
export interface Log {
  error(facts: object, message: string): void
  warn(facts: object, message: string): void
  info(facts: object, message: string): void
  debug(facts: object, message: string): void
}
