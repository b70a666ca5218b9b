/** Writes the pinned wire contract to packages/protocol/src/wire.pins.json. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
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
