import { isSyncError } from '@godwit/protocol'
import { type Host, start } from './start.js'

const HELP = `godwit COMMAND

  start    runs the sync server; the environment configures it
  --help   shows this

Variables (all optional): PORT, HOST, SYNC_STORE, SYNC_ADMIN_LOGIN, SYNC_ADMIN_PASSWORD, SYNC_CONFIG, SYNC_LOG_LEVEL,
SYNC_ALLOW_RESET, SYNC_ALLOW_PRIVATE_BACKENDS, NODE_ENV. The README tells what each means.
Exit codes: 0 stopped, 1 failed, 2 not understood.
`

const commands: { readonly [name: string]: (host: Host) => Promise<void> } = { start }

/** Runs one command: its exit code if it is over, undefined while it goes on. */
export async function main(words: readonly string[], host: Host): Promise<number | undefined> {
  if (words.some(word => word === '--help' || word === '-h')) {
    host.stdout.write(HELP)
    return 0
  }
  const [name = '', ...rest] = words
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined || rest.length > 0) {
    host.stderr.write(`${problemOf(name, rest, command !== undefined)}\n\n${HELP}`)
    return 2
  }
  try {
    await command(host)
    return undefined
  } catch (error) {
    host.stderr.write(`godwit: ${isSyncError(error) ? error.message : reportOf(error)}\n`)
    return 1
  }
}

function problemOf(name: string, rest: readonly string[], isKnown: boolean): string {
  if (isKnown) return `godwit ${name} takes nothing more, got: ${rest.join(' ')}`
  return name === '' ? 'godwit: expected a command.' : `godwit: there is no command "${name}".`
}

/** Nobody foresaw it, so its stack helps whoever mends it. */
const reportOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
