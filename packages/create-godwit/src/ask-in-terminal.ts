import { createInterface } from 'node:readline/promises'
import type { Ask } from './read-choices.js'

/** A terminal. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
}

/** Returns what asks a person in a terminal. An option is chosen by its number or name; an empty answer is the first. */
export const askIn =
  ({ stdin, stdout }: Terminal): Ask =>
  async (question, options) => {
    const names = Object.keys(options ?? {})
    const lines = names.map((name, at) => `  ${at + 1}. ${name}: ${options?.[name]}`)
    const lineReader = createInterface({ input: stdin, output: stdout })
    try {
      const answer = (await lineReader.question([`${question}?`, ...lines, '> '].join('\n'))).trim()
      return names[Number(answer === '' ? '1' : answer) - 1] ?? answer
    } finally {
      lineReader.close()
    }
  }
