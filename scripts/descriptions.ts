/** Writes the descriptions of `/openapi.json` and `/docs` from the contract's doc comments, unless the contract is unchanged. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './workspace.ts'

const file = join(root, 'packages/server/src/http/openapi/descriptions.js')
const inputs = ['packages/protocol/src', 'packages/admin-client/src', 'scripts/contract']

/** Returns a digest of all sources of the descriptions. */
function digestOfInputs(): string {
  const digest = createHash('sha256')
  for (const folder of inputs)
    for (const name of readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).sort())
      if (/\.ts$/.test(name) && !/\.test\.ts$/.test(name))
        digest.update(`${name}\0`).update(readFileSync(join(root, folder, name)))
  return digest.digest('hex')
}

export async function writeDescriptions(): Promise<void> {
  const mark = `// ${digestOfInputs()}\n`
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(mark)) return
  const { readContract } = await import('./contract/read-contract.ts')
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${mark}export const descriptions = ${JSON.stringify(readContract(), null, 2)}\n`)
  // Renaming is atomic: readers never see an incomplete file.
  renameSync(next, file)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeDescriptions()
