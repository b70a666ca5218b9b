import type { TableStyle } from '@godwit/terminal'

/** The input and output of a command: the process, or a test. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** Whether output goes to a person's terminal, so that lines may be redrawn. */
  readonly interactive: boolean
  readonly colours: boolean
  readonly columns: number
  readonly environment: { readonly [name: string]: string | undefined }
}

export function terminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  // With `… | head` the reader closes the pipe early; later output is discarded.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
  })
  return {
    out: text => void stdout.write(text),
    error: text => void stderr.write(text),
    interactive: stderr.isTTY === true,
    // https://no-color.org: any value but the empty one switches colours off
    colours: stdout.isTTY === true && !env['NO_COLOR'],
    columns: stdout.columns ?? 80,
    environment: env,
  }
}

/** Prints a bold header if colours are enabled, and truncates lines on interactive terminals. */
export const tableStyle = ({ colours, interactive, columns }: Terminal): TableStyle => ({
  width: interactive ? columns : undefined,
  bold: colours ? head => `\u001b[1m${head}\u001b[22m` : undefined,
})
