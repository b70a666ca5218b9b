import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { App, Backend, Choices } from './choices.js'
import { companionOf, manifest, nameOf } from './manifest.js'
import { UsageError } from './read-choices.js'

const templates = fileURLToPath(new URL('../templates/', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

const BACKEND_PARTS: { readonly [One in Backend]: readonly string[] } = {
  json: ['tasks', 'json'],
  sql: ['sql'],
  node: ['tasks', 'http', 'http-node'],
  python: ['tasks', 'http', 'http-python'],
}

/** Returns the folders of templates that make an app together. */
function partsOf(app: App, backend: Backend): readonly string[] {
  const list = backend === 'sql' ? 'sql-react' : 'tasks-react'
  return ['all', app, ...BACKEND_PARTS[backend], ...(app === 'react' ? [list] : [])]
}

/** Writes an app into its folder; a folder with files is left as it is. */
export function create(choices: Choices): void {
  const { folder, app, backend, database } = choices
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UsageError(`expected a folder that is missing or empty, got ${folder}. Choose another name.`)
  mkdirSync(folder, { recursive: true })
  for (const part of partsOf(app, backend)) cpSync(join(templates, part), folder, { recursive: true })
  // npm leaves a file of that name out of packages.
  renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(choices, version), null, 2)}\n`)
  if (database !== undefined)
    writeFileSync(join(folder, '.env'), `DATABASE_URL='${database}'\nSYNC_CONFIG=godwit.config.mjs\n`, { mode: 0o600 })
  fillIn(choices)
}

/** Replaces what differs between apps that are made of the same files. */
function fillIn(choices: Choices): void {
  const { folder, backend } = choices
  const words = companionOf(backend).map(word => `, '${word}'`)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(tsx?|html)$/.test(name)) continue
    const text = readFileSync(join(folder, name), 'utf8')
    const filled = text.replaceAll('my-app', nameOf(choices)).replace("'--server-only'", `$&${words.join('')}`)
    if (filled !== text) writeFileSync(join(folder, name), filled)
  }
}
