import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isSyncError } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { type Command, OPTIONS, type OptionValues, UsageError } from './commands/command.js'
import { find } from './commands/find.js'
import { login, logout } from './commands/login.js'
import { changes, overwritten, refused, status } from './commands/status.js'
import { sync } from './commands/sync.js'
import { visit } from './commands/visit.js'
import { models } from './models.js'
import type { Terminal } from './terminal.js'

/** Every command, in the order of the help. */
const commands: { readonly [name: string]: Command } = {
  login,
  logout,
  sync,
  find,
  visit,
  status,
  changes,
  refused,
  overwritten,
}

const HELP = [
  'godwit-device [--dir DIR] [--server URL] [--json] COMMAND\n',
  ...Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`),
  '',
  'Each --dir is a separate device (default: device-data). The server address is stored in it (default: http://127.0.0.1:8675).',
  'Exit codes: 0 success, 1 failure, 2 invalid usage, 3 offline.',
  '',
].join('\n')

/** Runs one command and returns the exit code. */
export async function main(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { values, positionals } = parseWords(words)
    const [name, ...rest] = positionals
    if (values.help === true || name === undefined) {
      terminal.out(HELP)
      return name === undefined && values.help !== true ? 2 : 0
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw new UsageError(`expected a command, got "${name}"; see godwit-device --help.`)
    return (await withDevice(values, terminal, rest, context => command.run(context))) ?? 0
  } catch (error) {
    return explain(error, terminal)
  }
}

function parseWords(words: readonly string[]): { values: OptionValues; positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function withDevice(
  options: OptionValues,
  terminal: Terminal,
  words: readonly string[],
  run: Command['run'],
): Promise<number | undefined | void> {
  const directory = options.dir ?? 'device-data'
  const server = serverOf(directory, options.server)
  const sdk = await openSdk({ directory, server, models })
  // Nothing is sent or fetched before the user runs `sync`.
  sdk.pollInterval = 0
  try {
    return await run({
      sdk,
      terminal,
      words,
      options,
      server,
      print: (value, show) => terminal.out(options.json === true ? `${JSON.stringify(value)}\n` : show(value)),
    })
  } finally {
    await sdk.close()
  }
}

function serverOf(directory: string, given: string | undefined): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return keepServer(directory, given)
  } catch (error) {
    throw new UsageError(`--dir takes a directory that can be written: ${(error as Error).message}.`)
  }
}

function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.error(`${error.message}\n`)
    return 2
  }
  if (!isSyncError(error)) throw error
  if (error.code !== 'offline') {
    terminal.error(`${error.message}\n`)
    return 1
  }
  terminal.error(
    'Offline: the server cannot be reached. Your data and changes are stored on this device. Sync again when there is a network.\n',
  )
  return 3
}

const DEFAULT_SERVER = 'http://127.0.0.1:8675'

/** Returns the server of this device: the given one, which is stored, or the stored one. */
function keepServer(directory: string, given: string | undefined): string {
  const file = join(directory, 'server.txt')
  if (given !== undefined) {
    writeFileSync(file, `${given}\n`, { mode: 0o600 })
    return given
  }
  try {
    return readFileSync(file, 'utf8').trim() || DEFAULT_SERVER
  } catch {
    return DEFAULT_SERVER
  }
}
