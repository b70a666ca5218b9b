/** Writes what is committed of the contract: the pinned wire, packages/protocol/src/wire.pins.json, and the page of error codes, docs/errors.md. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { RETRYABLE_CODES } from '../packages/protocol/src/errors/codes.ts'
import { errorsPage } from '../packages/protocol/src/errors/errors-page.ts'
import { ERROR_CODES } from '../packages/protocol/src/errors/meanings.ts'
import { mustRun } from './run.ts'
import { root } from './workspace.ts'

const folder = join(root, 'packages/protocol/src')
const { outputFiles } = await build({
  entryPoints: [join(folder, 'wire.fixture.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  external: ['ajv'],
})
const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
const { wireContract } = (await import(`data:text/javascript;base64,${code}`)) as { wireContract: () => unknown }
const pins = join(folder, 'wire.pins.json')
writeFileSync(pins, JSON.stringify(wireContract(), null, 2))
await mustRun('biome', ['format', '--write', pins])
writeFileSync(join(root, 'docs/errors.md'), errorsPage(ERROR_CODES, RETRYABLE_CODES))
