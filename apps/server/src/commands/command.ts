import type { AdminClient } from '@godwit/admin-client'
import type { Environment } from '../environment.js'
import type { ProcessHost } from '../start.js'

/** What a command sees of its process; `process` fits. */
export interface CommandHost extends ProcessHost {
  readonly env: Environment
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
}

/** An option, `--name`. */
export interface CommandOption {
  /** The word for its value, as help shows it. Absent: a switch. */
  readonly takes?: string
  /** May stand there more than once. */
  readonly many?: true
  readonly says: string
}

/** The options of a command by name. */
export type CommandOptions = { readonly [name: string]: CommandOption }

/** What was given for each option. */
export type OptionValues<O extends CommandOptions> = {
  readonly [Name in keyof O]?: OptionValue<O[Name]> | undefined
}
type OptionValue<One extends CommandOption> = One extends { many: true }
  ? readonly string[]
  : One extends { takes: string }
    ? string
    : boolean

/** Which server, and as whom, as far as options say so. */
export interface RemoteServer {
  readonly url?: string | undefined
  readonly token?: string | undefined
}

/** One call of a command. */
export interface Invocation<O extends CommandOptions = CommandOptions> {
  readonly host: CommandHost
  /** As many as `parameters` allows. */
  readonly words: readonly string[]
  readonly options: OptionValues<O>
  /** `--url` and `--token`. */
  readonly remote: RemoteServer
  /** The address of the server that `--url` or the environment names. */
  readonly url: string
  /** Aborted with an `Interrupted` once somebody ends the command. */
  readonly signal: AbortSignal
  /** Logs in at the server; a second call gives the same. */
  readonly admin: () => Promise<AdminClient>
  /** Writes the result to standard output: as one line of JSON if that was asked for, else as `show` puts it. */
  print<T>(value: T, show: (value: T) => string): void
  /** What only a person who looks on needs, to standard error. */
  note(text: string): void
}

export interface Command<O extends CommandOptions = CommandOptions> {
  /** What it does, in one line. */
  readonly summary: string
  /** What stands behind its name: `LOGIN`, `[LOGIN]` where it may be left out, `ID...` for one and more. */
  readonly parameters?: string
  readonly options?: O
  /** True: it asks no server, and takes neither `--url` nor `--token`. */
  readonly local?: true
  /** More to know, in lines. */
  readonly details?: string
  readonly examples: readonly string[]
  /** `running`: it goes on until a signal ends it. A number: the exit code. */
  run(call: Invocation<O>): Promise<undefined | 'running' | number>
}

/** Commands that share their first word. */
export interface CommandGroup {
  readonly summary: string
  readonly commands: { readonly [name: string]: Command }
}

/** A command whose options its `run` knows by name and type. */
export const command = <const O extends CommandOptions = Record<never, never>>(
  definition: Omit<Command<O>, 'run'> & { run(call: Invocation<O>): Promise<undefined | 'running' | number | void> },
): Command => definition as unknown as Command

/** Somebody ended the command: nothing is said, and it exits with this code. */
export class InterruptedError extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('The command was interrupted.')
    this.exitCode = exitCode
  }
}

/** A call that is not understood: exit code 2. */
export class UsageError extends Error {}
