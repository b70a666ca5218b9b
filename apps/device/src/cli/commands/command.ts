import type { Sdk } from '@godwit/model/node'
import type { AppModels } from '../models.js'
import type { Terminal } from '../terminal.js'

export type AppSdk = Sdk<AppModels>

/** What a command works with. */
export interface CommandContext {
  readonly sdk: AppSdk
  readonly terminal: Terminal
  /** Words after the command. */
  readonly words: readonly string[]
  readonly options: OptionValues
  readonly server: string
  /** Prints a value as JSON with `--json`, else what `show` makes of it. */
  print<T>(value: T, show: (value: T) => string): void
}

/** Every option of every command, as `parseArgs` reads them. */
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
  /** How it is called: `find [NAME] [--country XX] [--limit N]`. */
  readonly usage: string
  /** One line for the help. */
  readonly summary: string
  /** A number: the exit code. */
  run(context: CommandContext): Promise<number | undefined> | number | void
}

/** A call that cannot be understood: ends with exit code 2 and the usage. */
export class UsageError extends Error {}
