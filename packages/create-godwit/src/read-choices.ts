import { parseArgs } from 'node:util'
import { APPS, BACKENDS, type Choices } from './choices.js'

/** Returns the answer to a question: one of the options, or a text that is not empty. */
export type Ask = (question: string, options?: { readonly [name: string]: string }) => Promise<string>

/** The choices, and whether packages are installed. */
export interface ReadChoices extends Choices {
  readonly install: boolean
}

/** The words of a command line that do not fit. */
export class UsageError extends Error {}

const OPTIONS = {
  app: { type: 'string' },
  backend: { type: 'string' },
  database: { type: 'string' },
  'no-install': { type: 'boolean', default: false },
} as const

/** Reads the words of the command line, and asks for what is missing; without `ask`, it is the first option. */
export async function readChoices(words: readonly string[], ask: Ask | undefined): Promise<ReadChoices> {
  const { values, positionals } = parse(words)
  const [folder = (await ask?.('Name of the app')) || 'my-app', ...others] = positionals
  if (others.length > 0) throw new UsageError(`expected one name, got ${positionals.join(' ')}.`)
  const app = await choose('app', APPS, values.app, ask)
  const backend = await choose('backend', BACKENDS, values.backend ?? (values.database && 'sql'), ask)
  const install = !values['no-install']
  if (backend !== 'sql') {
    if (values.database !== undefined) throw new UsageError(`--database: expected the backend sql, got ${backend}.`)
    return { folder, app, backend, install }
  }
  const database = values.database ?? (await ask?.('Address of the database, postgres://… or mysql://…')) ?? ''
  if (!/^(postgres(ql)?:\/\/|(mysql|mariadb):\/\/|sqlite:)./.test(database))
    throw new UsageError(
      `--database: expected postgres://…, mysql://… or sqlite:FILE, got ${database === '' ? 'nothing' : 'another address'}.`,
    )
  return { folder, app, backend, database, install }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function choose<const Options extends { readonly [name: string]: string }>(
  name: string,
  options: Options,
  given: string | undefined,
  ask: Ask | undefined,
): Promise<keyof Options & string> {
  const names = Object.keys(options)
  const chosen = given ?? (await ask?.(`The ${name}`, options)) ?? names[0] ?? ''
  if (!names.includes(chosen)) throw new UsageError(`--${name}: expected ${names.join(', ')}, got ${chosen}.`)
  return chosen
}
