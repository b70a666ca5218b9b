/**
 * Runs in the folder of a package before it is packed or published: ends with 1 if its build lacks declarations. Tests that only run the
 * packed packages set PACK_WITHOUT_DECLARATIONS=yes.
 */
import { readFileSync } from 'node:fs'
import { missingDeclarations } from './pack.ts'
import type { Manifest } from './workspace.ts'

const folder = process.cwd()
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const [missing] =
  process.env['PACK_WITHOUT_DECLARATIONS'] === 'yes' ? [] : missingDeclarations({ path: folder, folder, manifest })
if (missing !== undefined) {
  process.stderr.write(
    `${manifest.name}: expected a build with declarations, got none at ${missing}. Run \`pnpm build\` first.\n`,
  )
  process.exitCode = 1
}
