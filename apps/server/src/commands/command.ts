import type { AdminClient } from '@godwit/admin-client'
import type { Environment } from '../environment.js'
import type { ProcessHost } from '../start.js'

/** The parts of a process that a command uses; `process` fits. */
export interface CommandHost extends ProcessHost {
  readonly env: Environment
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** An option, `--name`. */
export interface CommandOption {
  /** The placeholder of its value in help. Absent: a switch. */
  readonly takes?: string
  /** True if the option may be repeated. */
  readonly many?: true
  readonly says: string
}

/** The options of a command by name. */
export type CommandOptions = { readonly [name: string]: CommandOption }

/** The values of the given options. */
export type OptionValues<O extends CommandOptions> = {
  readonly [Name in keyof O]?: OptionValue<O[Name]> | undefined
}
type OptionValue<One extends CommandOption> = One extends { many: true }
  ? readonly string[]
  : One extends { takes: string }
    ? string
    : boolean

/** The server and credentials given by options. */
export interface RemoteServer {
  readonly url?: string | undefined
  readonly token?: string | undefined
}

/** One call of a command. */
export interface Invocation<O extends CommandOptions = CommandOptions> {
  readonly host: CommandHost
  /** The arguments, whose number fits `parameters`. */
  readonly words: readonly string[]
  readonly options: OptionValues<O>
  /** `--url` and `--token`. */
  readonly remote: RemoteServer
  /** The address of the server, from `--url` or the environment. */
  readonly url: string
  /** Aborted with an `InterruptedError` when a signal ends the command. */
  readonly signal: AbortSignal
  /** Logs in to the server; a second call returns the same client. */
  readonly admin: () => Promise<AdminClient>
  /** Writes the result to standard output: with `--json` as one line of JSON, else formatted by `show`. */
  print<T>(value: T, show: (value: T) => string): void
  /** Writes a note for people to standard error. */
  printStatus(text: string): void
}

export interface Command<O extends CommandOptions = CommandOptions> {
  /** A one-line description. */
  readonly summary: string
  /** The parameters in help: `LOGIN`, `[LOGIN]` if optional, `ID...` for one or more. */
  readonly parameters?: string
  readonly options?: O
  /** True for a command without a server, which takes neither `--url` nor `--token`. */
  readonly local?: true
  /** Further explanation, in lines. */
  readonly details?: string
  readonly examples: readonly string[]
  /** Returns `running` if the command continues until a signal, or an exit code. */
  run(call: Invocation<O>): Promise<undefined | 'running' | number>
}

/** Commands that share their first word. */
export interface CommandGroup {
  readonly summary: string
  readonly commands: { readonly [name: string]: Command }
}

/** Defines a command whose `run` gets its options by name and type. */
export const command = <const O extends CommandOptions = Record<never, never>>(
  definition: Omit<Command<O>, 'run'> & { run(call: Invocation<O>): Promise<undefined | 'running' | number | void> },
): Command => definition as unknown as Command

/** A signal ended the command, which exits with this code and prints nothing. */
export class InterruptedError extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('The command was interrupted.')
    this.exitCode = exitCode
  }
}

/** An invalid command line: exit code 2. */
export class UsageError extends Error {}
