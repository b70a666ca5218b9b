/** Writes the pins of the wire, packages/protocol/src/wire.pins.json, from the contract. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
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
writeFileSync(join(folder, 'wire.pins.json'), `${JSON.stringify(wireContract(), null, 2)}\n`)
