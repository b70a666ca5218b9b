/** Writes the descriptions of the API's document from the docs of the contract. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readContract } from './read-contract.ts'
import { root } from './workspace.ts'

const file = join(root, 'packages/server/src/http/openapi/descriptions.ts')
const text = `import type { Contract } from './contract.js'

/** Made from the docs of the contract by \`node scripts/descriptions.ts\`. */
export const descriptions: Contract = ${JSON.stringify(readContract(), null, 2)}
`
const biome = join(root, 'node_modules/.bin/biome')
writeFileSync(
  file,
  execFileSync(biome, ['format', `--stdin-file-path=${file}`], { input: text, encoding: 'utf8', cwd: root }),
)
