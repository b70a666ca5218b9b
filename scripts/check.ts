/** Runs all checks required before a change is shared, the fastest first. Prints one line per step. */
import { run } from './run.ts'

interface Step {
  readonly name: string
  /** The command and its parameters. */
  readonly command: readonly [string, ...string[]]
}

const remark = ['--quiet', '--frail', '.'] as const

const steps: readonly Step[] = [
  { name: 'generated files', command: ['node', 'scripts/generate.ts'] },
  { name: 'format and lint', command: ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '--build'] },
  { name: 'hash of Node', command: ['node', 'scripts/node-hash.ts'] },
  { name: 'documents and their links', command: ['remark', ...remark] },
  { name: 'names and wording', command: ['node', 'scripts/names.ts'] },
  { name: 'comments of exports', command: ['node', 'scripts/exports.ts'] },
  { name: 'messages of errors', command: ['node', 'scripts/error-messages.ts'] },
  { name: 'floors and walls', command: ['node', 'scripts/walls.ts'] },
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  { name: 'size', command: ['node', 'scripts/size.ts'] },
  { name: 'packed packages', command: ['node', 'scripts/packed.ts'] },
]

for (const { name, command } of steps) {
  const [program, ...parameters] = command
  const started = performance.now()
  const { code, output } = await run(program, parameters)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (code !== 0) {
    process.stderr.write(`${output}\n✗ ${name} (${seconds} s)\n`)
    process.exit(1)
  }
  process.stdout.write(`✓ ${name} (${seconds} s)\n`)
}
