import type { CommandHost } from './command.js'

const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED'])

/** `godwit … | head` is no failure: whoever reads has enough. What is written later is lost, and the command comes to its own end. */
export function endQuietly({ stdout }: Pick<CommandHost, 'stdout'>): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code)) throw error
  })
}
