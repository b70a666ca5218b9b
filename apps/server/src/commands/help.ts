import type { Command, CommandGroup } from './command.js'
import { optionsOf } from './parse.js'

const EXIT_CODES = 'Exit codes: 0 success, 1 failure, 2 invalid usage, 3 the server could not be reached.'

const VARIABLES = `The server is configured by the environment: PORT, HOST, SYNC_STORE, SYNC_DURABILITY, SYNC_REDIS_PASSWORD, SYNC_REDIS_REPLICAS, SYNC_ADMIN_LOGIN,
SYNC_ADMIN_PASSWORD, SYNC_OIDC_ISSUER, SYNC_OIDC_AUDIENCE, SYNC_OIDC_LOGIN, SYNC_OIDC_ATTRIBUTES, SYNC_OIDC_PASSWORDS, SYNC_OIDC_CLIENT_ID,
SYNC_OIDC_CLIENT_SECRET, SYNC_OIDC_ROLE_CLAIM, SYNC_OIDC_ROLES, SYNC_CONFIG, SYNC_LOG_LEVEL, SYNC_LOG_REQUESTS, SYNC_METRICS_TOKEN, SYNC_ORIGINS, SYNC_TRUST_PROXY, SYNC_WORKERS, SYNC_WORKER_PORT, SYNC_STOP_DELAY, SYNC_PASSWORD_COST, SYNC_ALLOW_RESET,
SYNC_ALLOW_PRIVATE_BACKENDS, SYNC_DEMO, SYNC_DEMO_PROVIDER, SYNC_DEMO_VISITS, NODE_ENV; for push messages SYNC_PUSH_FCM_ACCOUNT, SYNC_PUSH_FCM_URL, SYNC_PUSH_APNS_KEY, SYNC_PUSH_APNS_KEY_ID,
SYNC_PUSH_APNS_TEAM_ID, SYNC_PUSH_APNS_TOPIC, SYNC_PUSH_APNS_SANDBOX, SYNC_PUSH_APNS_URL, SYNC_PUSH_VAPID_KEY, SYNC_PUSH_VAPID_SUBJECT, SYNC_PUSH_FALLBACK. What is secret may be in a file: SYNC_STORE_FILE, SYNC_REDIS_PASSWORD_FILE, SYNC_ADMIN_PASSWORD_FILE, SYNC_OIDC_CLIENT_SECRET_FILE, SYNC_METRICS_TOKEN_FILE,
SYNC_PUSH_FCM_ACCOUNT_FILE, SYNC_PUSH_APNS_KEY_FILE, SYNC_PUSH_VAPID_KEY_FILE. The other
commands ask a running server: GODWIT_URL, and GODWIT_TOKEN or GODWIT_LOGIN and GODWIT_PASSWORD. A password is never a parameter.`

/** Returns the list of all commands, one per line. */
export function overview(commands: { readonly [name: string]: Command | CommandGroup }): string {
  const lines = Object.entries(commands).flatMap(([name, entry]) => linesOf(name, entry))
  const width = Math.max(...lines.map(([usage]) => usage.length))
  const list = lines.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`).join('\n')
  return `godwit COMMAND\n\n${list}\n\ngodwit help COMMAND shows details and examples; godwit --version shows the version.\n\n${VARIABLES}\n${EXIT_CODES}\n`
}

/** Returns the help of one command. */
export function helpOf(name: string, command: Command): string {
  const options = Object.entries(optionsOf(command)).map(
    ([option, { takes, says }]) => [`--${option}${takes === undefined ? '' : ` ${takes}`}`, says] as const,
  )
  const width = Math.max(...options.map(([option]) => option.length))
  return [
    `godwit ${usageOf(name, command)}\n\n  ${command.summary}`,
    ...(command.details === undefined ? [] : [command.details.replace(/^/gm, '  ')]),
    options.map(([option, says]) => `  ${option.padEnd(width)}  ${says}`).join('\n'),
    `Examples:\n${command.examples.map(example => `  ${example}`).join('\n')}`,
    `${EXIT_CODES}\n`,
  ].join('\n\n')
}

/** Returns the short help after a usage error. */
export const shortHelp = (name: string, command: Command): string =>
  `godwit ${usageOf(name, command)}\nRun godwit help ${name} for details.\n`

/** Returns the help of a command group. */
export function helpOfGroup(name: string, { summary, commands }: CommandGroup): string {
  const lines = Object.entries(commands).map(
    ([one, command]) => [usageOf(`${name} ${one}`, command), command.summary] as const,
  )
  const width = Math.max(...lines.map(([usage]) => usage.length))
  const list = lines.map(([usage, says]) => `  godwit ${usage.padEnd(width)}  ${says}`).join('\n')
  return `godwit ${name} COMMAND\n\n  ${summary}\n\n${list}\n\nRun godwit help ${name} COMMAND for details.\n`
}

export const usageOf = (name: string, { parameters }: Command): string =>
  parameters === undefined ? name : `${name} ${parameters}`

const linesOf = (name: string, entry: Command | CommandGroup): readonly (readonly [string, string])[] =>
  'commands' in entry
    ? [[`${name} ${Object.keys(entry.commands).join('|')}`, entry.summary]]
    : [[usageOf(name, entry), entry.summary]]
