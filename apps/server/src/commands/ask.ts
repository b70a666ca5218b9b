import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type CommandHost, InterruptedError, UsageError } from './command.js'

type Terminal = Pick<CommandHost, 'stdin' | 'stderr'>

/** True if the command runs on a terminal where a person can answer. */
export const isAttended = ({ stdin, stderr }: Terminal): boolean => stdin.isTTY === true && stderr.isTTY === true

/** Returns the line that the user types, without echo if `secret`. */
export async function ask({ stdin, stderr }: Terminal, question: string, { secret = false } = {}): Promise<string> {
  const output = new Writable({
    write(chunk, _, done) {
      if (!secret) stderr.write(String(chunk))
      done()
    },
  })
  stderr.write(question)
  const lines = createInterface({ input: stdin, output, terminal: true })
  try {
    return await lines.question('')
  } catch (error) {
    // Ctrl-C, which a terminal without echo delivers as a key, or Ctrl-D.
    throw (error as Error).name === 'AbortError' ? new InterruptedError(130) : error
  } finally {
    lines.close()
    if (secret) stderr.write('\n')
  }
}

/** Asks for a new password twice, or reads the first line of standard input. */
export async function askNewPassword(host: Terminal, { fromInput }: { readonly fromInput: boolean }): Promise<string> {
  if (fromInput) return firstLine(host)
  if (!isAttended(host))
    throw new UsageError(
      'There is no terminal to prompt for the password. Write it to standard input and pass --password-stdin.',
    )
  const password = await ask(host, 'New password: ', { secret: true })
  if (password === '') throw new UsageError('expected a password, got an empty one.')
  if ((await ask(host, 'Repeat the password: ', { secret: true })) !== password)
    throw new UsageError('The passwords do not match. Run the command again.')
  return password
}

async function firstLine({ stdin }: Terminal): Promise<string> {
  let text = ''
  for await (const part of stdin) text += String(part)
  const line = text.split(/\r?\n/, 1)[0] ?? ''
  if (line === '') throw new UsageError('expected a password on standard input, got none.')
  return line
}
