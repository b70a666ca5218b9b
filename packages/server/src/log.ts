/** The slice of a logger that the server uses; pino fits. `error` = somebody must look; `info` = state changed; `debug` = the rest; never secrets, never attributes. */
export interface Log {
  error(facts: object, message: string): void
  warn(facts: object, message: string): void
  info(facts: object, message: string): void
  debug(facts: object, message: string): void
}

const ignore = (): void => {}

/** Logs nothing. */
export const silentLog: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }
