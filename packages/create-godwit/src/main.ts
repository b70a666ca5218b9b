import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askIn, type Terminal } from './ask-in-terminal.js'
import { APPS, BACKENDS } from './choices.js'
import { create } from './create.js'
import { type ReadChoices, readChoices, UsageError } from './read-choices.js'

/** The parts of a process that are used; `process` fits. */
export interface Host extends Terminal {
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdin: Terminal['stdin'] & { readonly isTTY?: boolean }
  readonly stderr: { write(text: string): unknown }
}

const listed = (options: { readonly [name: string]: string }): string =>
  Object.entries(options)
    .map(([name, text]) => `    ${name.padEnd(8)}${text}\n`)
    .join('')

const HELP = `usage: npm create godwit@latest NAME -- [options]

  --app APP
${listed(APPS)}  --backend BACKEND
${listed(BACKENDS)}  --database URL   of the backend sql
  --no-install     writes the files only

What is not given is asked for in a terminal.
`

/** RECIPE: choices → files → packages → the models of a database. Returns the exit code. */
export async function main(words: readonly string[], host: Host): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) return say(host, HELP)
  try {
    const choices = await readChoices(words, host.stdin.isTTY ? askIn(host) : undefined)
    create(choices)
    if (choices.install) installPackages(choices, host)
    if (choices.install && choices.backend === 'sql') readTables(choices, host)
    return say(host, nextSteps(choices, managerOf(host)))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    host.stderr.write(`create-godwit: ${error.message}\n`)
    return 2
  }
}

function say({ stdout }: Terminal, text: string): 0 {
  stdout.write(text)
  return 0
}

/** Returns the package manager that runs this program: `npm`, `pnpm`, `yarn` or `bun`. */
const managerOf = ({ env }: Host): string =>
  /^(npm|pnpm|yarn|bun)\//.exec(env['npm_config_user_agent'] ?? '')?.[1] ?? 'npm'

function installPackages({ folder }: ReadChoices, host: Host): void {
  const manager = managerOf(host)
  const { status } = spawnSync(manager, ['install'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new UsageError(`${manager} install failed in ${folder}: see above. Run it again there.`)
}

/** Writes the models and sources of the tables, and names them. */
function readTables({ folder, database }: ReadChoices, host: Host): void {
  const { status } = spawnSync(process.execPath, ['node_modules/godwit/dist/godwit.js', 'sql', 'init'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...host.env, DATABASE_URL: database },
  })
  if (status !== 0)
    throw new UsageError(`the tables could not be read: see above. Run npx godwit sql init in ${folder} again.`)
  const models = readFileSync(join(folder, 'models.ts'), 'utf8')
  say(host, `tables: ${[...models.matchAll(/^export const (\w+)/gm)].map(([, name]) => name).join(', ')}\n`)
}

function nextSteps({ folder, backend, install }: ReadChoices, manager: string): string {
  const run = manager === 'npm' ? 'npm run' : manager
  const sql = backend === 'sql'
  return [
    '',
    `${folder} is ready. Next:`,
    '',
    `  cd ${folder}`,
    ...(install ? [] : [`  ${manager} install`, ...(sql ? ['  npx godwit sql init'] : [])]),
    ...(sql ? [`  ${run} database   # creates triggers that log changes of your tables`] : []),
    `  ${run} dev`,
    '',
    '',
  ].join('\n')
}
