import type { CommandHost } from './command.js'

const CLOSED_CODES: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED'])

/** Lets a closed pipe, as in `godwit … | head`, be no failure: later output is dropped, and the command ends normally. */
export function endQuietly({ stdout }: Pick<CommandHost, 'stdout'>): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!CLOSED_CODES.has(error.code)) throw error
  })
}
