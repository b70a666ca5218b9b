/** Runs all checks required before a change is shared, the fastest first. Prints one line per step. */
import { run } from './run.ts'

const steps: readonly (readonly [name: string, command: string, ...parameters: string[]])[] = [
  ['descriptions of the API', 'node', 'scripts/descriptions.ts'],
  ['WebAssembly of SQLite', 'node', 'scripts/sqlite-wasm.ts'],
  ['format and lint', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['types', 'tsc', '--build'],
  ['hash of Node', 'node', 'scripts/node-hash.ts'],
  ['digests of images', 'node', 'scripts/pin-images.ts', '--check'],
  ['tiers of tests', 'node', 'scripts/tiers.ts'],
  ['titles of tests', 'node', 'scripts/titles.ts'],
  ['documents', 'node', 'scripts/documents.ts'],
  ['wording', 'node', 'scripts/wording.ts'],
  ['comments of exports', 'node', 'scripts/exports.ts'],
  ['messages of errors', 'node', 'scripts/error-messages.ts'],
  ['floors and walls', 'node', 'scripts/walls.ts'],
  ['build', 'node', 'scripts/build.ts'],
  ['size', 'node', 'scripts/size.ts'],
  ['packed packages', 'node', 'scripts/packed.ts'],
]

for (const [name, command, ...parameters] of steps) {
  const started = performance.now()
  const { code, output } = await run(command, parameters)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code !== 0) {
    process.stderr.write(`${output}\n✗ ${name} (${seconds} s)\n`)
    process.exit(1)
  }
  process.stdout.write(`✓ ${name} (${seconds} s)\n`)
  if (name === 'digests of images') process.stdout.write(output.replace(/^(?=.)/gm, '  '))
}
