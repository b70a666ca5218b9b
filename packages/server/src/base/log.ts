import type { Log } from '@godwit/source'

const ignore = (): void => {}

/** A logger that discards everything. */
export const silentLog: Log = { error: ignore, warn: ignore, info: ignore, debug: ignore }
