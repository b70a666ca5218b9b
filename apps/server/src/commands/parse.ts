import { parseArgs } from 'node:util'
import { type Command, type CommandOption, type CommandOptions, UsageError } from './command.js'
import { didYouMean } from './nearest.js'

/** The options of every command. */
export const COMMON = {
  json: { says: 'print the result as one line of JSON, and errors to standard error' },
  help: { says: 'show the usage of the command' },
} as const satisfies CommandOptions

/** The options of commands that call a server. */
export const REMOTE = {
  url: { takes: 'URL', says: 'the server (GODWIT_URL; else HOST and PORT)' },
  token: { takes: 'TOKEN', says: 'an API token (better: GODWIT_TOKEN)' },
} as const satisfies CommandOptions

/** The parsed arguments and options of a command line. */
export interface ParsedCommand {
  readonly words: readonly string[]
  readonly options: { readonly [name: string]: string | boolean | readonly string[] | undefined }
}

/** Moves options in front of the command behind its words: `--json users list` is `users list --json`. */
export function commandFirst(given: readonly string[]): readonly string[] {
  let count = 0
  for (let option = leadingOption(given[0]); option; option = leadingOption(given[count]))
    count += option.takes === undefined || given[count]?.includes('=') ? 1 : 2
  const rest = given.slice(count)
  const end = rest.findIndex(word => word.startsWith('--'))
  return rest.toSpliced(end < 0 ? rest.length : end, 0, ...given.slice(0, count))
}

/** Returns the option of every command that a word sets, if it does. */
function leadingOption(word = ''): CommandOption | undefined {
  const name = /^--([^=]*)/.exec(word)?.[1] ?? ''
  const known: CommandOptions = { ...REMOTE, ...COMMON }
  return Object.hasOwn(known, name) ? known[name] : undefined
}

/** Returns all options of a command, its specific ones first. */
export const optionsOf = ({ options = {}, local }: Command): CommandOptions => ({
  ...options,
  ...(local ? {} : REMOTE),
  ...COMMON,
})

/** Parses the arguments after a command's name. Throws `UsageError`. */
export function parse(name: string, command: Command, given: readonly string[]): ParsedCommand {
  const options = optionsOf(command)
  const { values, positionals, tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(
      Object.entries(options).map(
        ([option, { takes, many = false }]) =>
          [option, { type: takes === undefined ? 'boolean' : 'string', multiple: many }] as const,
      ),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') checkOption(name, options, token)
  if (values['help'] !== true) checkCount(name, command, positionals)
  return { words: positionals, options: values as ParsedCommand['options'] }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkOption(
  command: string,
  options: CommandOptions,
  { name, rawName, value, inlineValue }: OptionToken,
): void {
  const option = Object.hasOwn(options, name) && rawName.startsWith('--') ? options[name] : undefined
  if (option === undefined) {
    const names = Object.keys(options)
    throw new UsageError(`godwit ${command} has no option ${rawName}.${didYouMean(name, names, near => `--${near}`)}`)
  }
  if (option.takes === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got ${value}.`)
  } else if (value === undefined || (inlineValue !== true && value.startsWith('--'))) {
    throw new UsageError(`${rawName} expects a value: ${rawName} ${option.takes}.`)
  }
}

function checkCount(name: string, { parameters = '' }: Command, words: readonly string[]): void {
  const wanted = parameters.split(' ').filter(word => word !== '')
  const least = wanted.filter(word => !word.startsWith('[')).length
  const most = parameters.includes('...') ? Number.POSITIVE_INFINITY : wanted.length
  if (words.length > most)
    throw new UsageError(`godwit ${name} takes ${most === 0 ? 'no parameters' : parameters}, got: ${words.join(' ')}`)
  if (words.length < least)
    throw new UsageError(
      `godwit ${name} expects ${parameters}${words.length === 0 ? '.' : `, got only: ${words.join(' ')}`}`,
    )
}
