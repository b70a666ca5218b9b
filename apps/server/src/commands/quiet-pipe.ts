import type { CommandHost } from './command.js'

/** `godwit … | head` is no failure: whoever reads has enough, and the command ends. */
export function endQuietly({ stdout, exit }: CommandHost): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    exit(0)
  })
}
