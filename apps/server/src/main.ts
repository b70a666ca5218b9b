import { readFileSync } from 'node:fs'
import { isSyncError } from '@godwit/protocol'
import {
  type Command,
  type CommandGroup,
  type CommandHost,
  InterruptedError,
  type Invocation,
  type RemoteServer,
  UsageError,
} from './commands/command.js'
import { type AdminConnection, addressOf, connect } from './commands/connect.js'
import { helpOf, helpOfGroup, overview, shortHelp } from './commands/help.js'
import { didYouMean } from './commands/nearest.js'
import { commandFirst, type ParsedCommand, parse } from './commands/parse.js'
import { commands } from './commands/table.js'
import type { Signals } from './stop.js'

/** Runs one command. Returns its exit code, or undefined while it continues to run. */
export async function main(given: readonly string[], host: CommandHost): Promise<number | undefined> {
  const words = commandFirst(given)
  outliveReaders(host, isServer(words[0]))
  try {
    if (words[0] === '--version') return print(host, `${versionOf()}\n`)
    if (words[0] === 'help' || words.includes('--help') || words.includes('-h'))
      return print(host, helpFor(findCommand(namesIn(words))))
    const found = findOrList(words)
    if (!('command' in found)) throw new UsageError(missingCommand(found))
    return await run(found, host)
  } catch (error) {
    return printFailure(error, words, host)
  }
}

/** True for commands that run a server: they handle signals and write logs themselves. */
const isServer = (name: string | undefined): boolean => name === 'start' || name === 'dev' || name === 'worker'

/** The command that the words name with its arguments, or as far as they could be matched. */
type FoundCommand =
  | { readonly name: string; readonly command: Command; readonly rest: readonly string[] }
  | { readonly group?: readonly [name: string, group: CommandGroup]; readonly unknown: string | undefined }

function findCommand([name, second, ...rest]: readonly string[]): FoundCommand {
  const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (name === undefined || entry === undefined) return { unknown: name }
  if (!('commands' in entry)) return { name, command: entry, rest: second === undefined ? [] : [second, ...rest] }
  const command = second !== undefined && Object.hasOwn(entry.commands, second) ? entry.commands[second] : undefined
  if (command === undefined) return { group: [name, entry], unknown: second }
  return { name: `${name} ${second}`, command, rest }
}

/** Returns the words that help is about. */
const namesIn = (words: readonly string[]): readonly string[] =>
  (words[0] === 'help' ? words.slice(1) : words).filter(word => !word.startsWith('-'))

/** A group without a command is its `list`. */
function findOrList(words: readonly string[]): FoundCommand {
  const found = findCommand(words)
  const isAlone = 'group' in found && (found.unknown === undefined || found.unknown.startsWith('--'))
  return isAlone && found.group && 'list' in found.group[1].commands
    ? findCommand(words.toSpliced(1, 0, 'list'))
    : found
}

function helpFor(found: FoundCommand): string {
  if ('command' in found) return helpOf(found.name, found.command)
  if (found.unknown !== undefined) throw new UsageError(missingCommand(found))
  return found.group ? helpOfGroup(...found.group) : overview(commands)
}

function missingCommand({ group, unknown }: Exclude<FoundCommand, { command: unknown }>): string {
  const names = Object.keys(group ? group[1].commands : commands)
  const before = group ? `godwit ${group[0]}` : 'godwit'
  if (unknown === undefined)
    return group ? `${before} expects one of: ${names.join(', ')}.` : 'godwit: expected a command.'
  return `${before}: there is no command "${unknown}".${didYouMean(unknown, names)}`
}

async function run({ name, command, rest }: Extract<FoundCommand, { command: unknown }>, host: CommandHost) {
  const parsed = parse(name, command, rest)
  const { json = false } = parsed.options
  const remote = remoteOf(parsed)
  let connected: Promise<AdminConnection> | undefined
  let left: Promise<void> | undefined
  const leave = (): Promise<void> => {
    left ??= connected?.then(({ end }) => end()).catch(() => {})
    return left ?? Promise.resolve()
  }
  const stop = new AbortController()
  const call: Invocation = {
    ...(parsed as Pick<Invocation, 'words' | 'options'>),
    host,
    remote,
    signal: stop.signal,
    get url() {
      return addressOf(remote, host)
    },
    admin: async () => {
      connected ??= connect(remote, host)
      return (await connected).admin
    },
    print: (value, show) => {
      if (Array.isArray(value) && value.length === 0) call.printStatus('None.\n')
      print(host, json === true ? `${JSON.stringify(value)}\n` : show(value))
    },
    printStatus: text => {
      if (host.stderr.isTTY === true && json !== true) host.stderr.write(text)
    },
  }
  try {
    const running = command.run(call)
    if (!isServer(name))
      undoOnSignal(host, async interrupted => {
        stop.abort(interrupted)
        // Work on local files is completed; an answer of a server is not awaited.
        if (command.local) await running.catch(() => {})
        await leave()
      })
    const ended = await running
    return ended === 'running' ? undefined : (ended ?? 0)
  } finally {
    await leave()
  }
}

const remoteOf = ({ options: { url, token } }: ParsedCommand): RemoteServer => ({
  url: typeof url === 'string' ? url : undefined,
  token: typeof token === 'string' ? token : undefined,
})

function print({ stdout }: CommandHost, text: string): number {
  stdout.write(text)
  return 0
}

/** Returns the version of the package, whose manifest is beside the program's folder. */
const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string })
    .version

const OFFLINE = 3

/** Prints an expected error as one line; with `--json` also its code. */
function printFailure(error: unknown, words: readonly string[], { stderr }: CommandHost): number {
  if (error instanceof InterruptedError) return error.exitCode
  const isUsage = error instanceof UsageError
  const message = isUsage || isSyncError(error) ? error.message : reportOf(error)
  const code = isUsage ? 'usage' : isSyncError(error) ? error.code : 'internal'
  const isJson = words.includes('--json')
  if (isUsage && !isJson) stderr.write(`${message}\n\n${usageFor(words)}`)
  else stderr.write(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `godwit: ${message}\n`)
  return isUsage ? 2 : code === 'offline' ? OFFLINE : 1
}

function usageFor(words: readonly string[]): string {
  const found = findOrList(namesIn(words))
  if ('command' in found) return shortHelp(found.name, found.command)
  return found.group ? helpOfGroup(...found.group) : overview(commands)
}

/** Returns the stack of an unexpected error, for a bug report. */
const reportOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

const CLOSED_CODES: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED'])

/**
 * Drops output that can no longer be written. A command whose reader is gone, as in `godwit … | head`, ends normally. A server continues whatever
 * happens to its log: an error about the log, logged, would be followed by the next.
 */
function outliveReaders({ stdout, stderr }: Pick<CommandHost, 'stdout' | 'stderr'>, isServer: boolean): void {
  for (const output of [stdout, stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (!isServer && !CLOSED_CODES.has(error.code)) throw error
    })
}

/** Milliseconds that an undo may take after Ctrl-C. */
const TIMEOUT = 3000

/** SIGINT and SIGTERM let a command undo its work, then end it with 130 or 143; a second signal ends it at once. */
function undoOnSignal(signals: Signals, undo: (interrupted: InterruptedError) => Promise<void>): void {
  let undoing = false
  const stop = (exitCode: number): void => {
    const end = (): void => signals.exit(exitCode)
    if (undoing) end()
    else {
      undoing = true
      setTimeout(end, TIMEOUT).unref()
      void undo(new InterruptedError(exitCode)).finally(end)
    }
  }
  signals.on('SIGINT', () => stop(130))
  signals.on('SIGTERM', () => stop(143))
}
