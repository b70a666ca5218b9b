import { styleText } from 'node:util'
import { type Logger, pino } from 'pino'
import type { LogLevel } from './config.js'

/** The destination of log lines: standard error, or a test's buffer. */
export interface LogOutput {
  write(text: string): void
  readonly isTTY?: boolean
}

/** Returns a logger that writes JSON lines, or readable lines on a terminal. */
export function openLog(level: LogLevel, output: LogOutput): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return pino(options, output.isTTY === true ? { write: line => output.write(formatForPeople(line)) } : output)
}

const COLOURS = { trace: 'gray', debug: 'gray', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const

type Colour = (typeof COLOURS)[keyof typeof COLOURS]

/** Uses the colours that standard error supports, since standard output may be a file. */
const inColour = (colour: Colour, text: string): string => styleText(colour, text, { stream: process.stderr })

/** Formats a line as `12:34:56 info  A user was created login=ada`, and errors with their stack. */
export function formatForPeople(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as {
    level: keyof typeof COLOURS
    time: string
    msg?: string
    err?: { stack?: string }
  }
  const said = Object.entries(facts).map(
    ([name, value]) => ` ${inColour('gray', `${name}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`
  return `${inColour('gray', time.slice(11, 19))} ${inColour(COLOURS[level], level.padEnd(5))} ${msg ?? ''}${said.join('')}${stack}\n`
}
