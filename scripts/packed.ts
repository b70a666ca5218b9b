/**
 * What users get: packs every published package as it would be published, checks the tarballs, installs them into an empty
 * folder, and there imports, requires and type-checks every public entry on the oldest Node that is promised.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, published } from './pack.ts'
import { mustRun, run } from './run.ts'
import { root, type WorkspacePackage } from './workspace.ts'

const OLDEST_NODE = '22.18.0'

const entriesOf = ({ manifest }: WorkspacePackage) =>
  Object.keys(manifest.publishConfig?.exports ?? {}).map(entry => entry.replace('.', manifest.name))
const entries = published.flatMap(entriesOf)

async function lint(tarball: string): Promise<void> {
  const { code, output } = await run('publint', [tarball, '--strict'])
  // Built pages are for browsers: Node never interprets their scripts.
  const faults = output.split('\n').filter(line => /\d+\. /.test(line) && !line.includes('/pages/'))
  if (code !== 0 && (faults.length > 0 || !output.includes('/pages/'))) throw new Error(output)
  // A package that is only a command has no types to resolve.
  if (!/\/godwit-\d/.test(tarball)) await mustRun('attw', [tarball, '--profile', 'node16', '--no-emoji'])
}

async function oldestNode(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/node', OLDEST_NODE)
  const program = join(folder, 'node_modules/node/bin/node')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    await mustRun('npm', ['install', '--no-audit', '--no-fund', `node@${OLDEST_NODE}`], { folder })
  }
  return program
}

function writeConsumer(folder: string): void {
  const lines = (line: (entry: string, index: number) => string) => `${entries.map(line).join('\n')}\n`
  const files = {
    'package.json': '{ "private": true, "type": "module" }\n',
    'imports.js': lines(entry => (entry.endsWith('/browser/worker') ? '' : `import '${entry}'`)),
    // Workers of browsers bring SQLite's WebAssembly, an optional peer.
    'requires.cjs': lines(entry => (entry.endsWith('/browser/worker') ? '' : `require('${entry}')`)),
    'types.ts': lines((entry, index) => `export * as entry${index} from '${entry}'`),
    'types.cts': lines((entry, index) => `import entry${index} = require('${entry}')\nvoid entry${index}`),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        target: 'es2023',
        noEmit: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
    }),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** What apps in TypeScript with React have installed. */
const reactTypes = (): string => {
  const { version } = JSON.parse(
    readFileSync(join(root, 'packages/react/node_modules/@types/react/package.json'), 'utf8'),
  )
  return `@types/react@${version}`
}

async function consume(tarballs: readonly string[], folder: string): Promise<void> {
  writeConsumer(folder)
  const [node] = await Promise.all([
    oldestNode(),
    mustRun('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', reactTypes(), ...tarballs], { folder }),
  ])
  await Promise.all([
    mustRun(node, ['imports.js'], { folder }),
    mustRun(node, ['requires.cjs'], { folder }),
    mustRun('tsc', ['--project', '.'], { folder }),
  ])
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-packed-'))
try {
  for (const name of ['tarballs', 'consumer']) mkdirSync(join(folder, name))
  const tarballs = await pack(join(folder, 'tarballs'))
  await Promise.all([...tarballs.map(lint), consume(tarballs, join(folder, 'consumer'))])
  process.stdout.write(`${tarballs.length} packed packages, ${entries.length} entries work on Node ${OLDEST_NODE}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
