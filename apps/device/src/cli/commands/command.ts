import type { Sdk } from '@godwit/model/node'
import type { AppModels } from '../models.js'
import type { Terminal } from '../terminal.js'

export type AppSdk = Sdk<AppModels>

/** The context of a command. */
export interface CommandContext {
  readonly sdk: AppSdk
  readonly terminal: Terminal
  /** The arguments after the command. */
  readonly words: readonly string[]
  readonly options: OptionValues
  readonly server: string
  /** Prints a value as JSON with `--json`, otherwise as formatted by `show`. */
  print<T>(value: T, show: (value: T) => string): void
}

/** All options of all commands, for `parseArgs`. */
export const OPTIONS = {
  dir: { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  discard: { type: 'boolean' },
  country: { type: 'string' },
  limit: { type: 'string' },
  city: { type: 'string' },
  note: { type: 'string' },
  rating: { type: 'string' },
} as const

export type OptionValues = {
  readonly [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string
}

export interface Command {
  /** The synopsis: `find [NAME] [--country XX] [--limit N]`. */
  readonly usage: string
  /** A line of the help. */
  readonly summary: string
  /** A returned number is the exit code. */
  run(context: CommandContext): Promise<number | undefined> | number | void
}

/** A usage error: exits with code 2 and prints the usage. */
export class UsageError extends Error {}
