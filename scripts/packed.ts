/**
 * Checks the published packages: packs them, checks the tarballs, installs them into an empty folder, and imports, requires and type-checks
 * every public entry on the oldest supported Node.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, published } from './pack.ts'
import { mustRun, run } from './run.ts'
import { root, type WorkspacePackage } from './workspace.ts'

const OLDEST_NODE = '22.18.0'

interface Entry {
  readonly package: string
  /** The key in `exports`: `./node`. */
  readonly path: string
  /** The import specifier: `@godwit/model/node`. */
  readonly name: string
  /** True when it has no CommonJS build. */
  readonly isModuleOnly: boolean
}

/** Entries without a CommonJS build: they load WebAssembly relative to their module, or plug into an ES module. */
const MODULES_ONLY = [
  '@godwit/auth',
  '@godwit/model/browser/worker',
  '@godwit/model/push-worker',
  '@godwit/push/apns',
  '@godwit/push/fcm',
  '@godwit/push/web-push',
  '@godwit/sql',
  '@godwit/vite',
]

const entriesOf = ({ manifest }: WorkspacePackage): readonly Entry[] =>
  Object.keys(manifest.publishConfig?.exports ?? {})
    .filter(path => path !== './package.json')
    .map(path => {
      const name = path.replace('.', manifest.name)
      return {
        package: manifest.name,
        path,
        name,
        isModuleOnly: MODULES_ONLY.includes(name),
      }
    })
const entries = published.flatMap(entriesOf)
const required = entries.filter(({ isModuleOnly }) => !isModuleOnly)

async function lint(tarball: string): Promise<void> {
  const { code, output } = await run('publint', [tarball, '--strict'])
  // Node never runs the scripts of built pages, which are for browsers.
  const faults = output.split('\n').filter(line => /\d+\. /.test(line) && !line.includes('/pages/'))
  if (code !== 0 && (faults.length > 0 || !output.includes('/pages/'))) throw new Error(output)
  // A package with only a command has no types.
  if (/\/(create-)?godwit-\d/.test(tarball)) return
  const only = entries.filter(entry => entry.isModuleOnly && tarball.includes(tarballName(entry.package)))
  const paths = only.map(({ path }) => path)
  await checkTypes(tarball, 'node16', paths.length > 0 ? ['--exclude-entrypoints', ...paths] : [])
  if (paths.length > 0) await checkTypes(tarball, 'esm-only', ['--entrypoints', ...paths])
}

const tarballName = (name: string): string => `/${name.replace('@', '').replace('/', '-')}-`

const checkTypes = (tarball: string, profile: string, options: readonly string[]): Promise<string> =>
  mustRun('attw', [tarball, '--profile', profile, '--no-emoji', ...options])

/** Installs packages; a download that fails or exceeds 240 s is repeated once. */
async function install(packages: readonly string[], folder: string): Promise<string> {
  const parameters = ['install', '--no-audit', '--no-fund', ...packages]
  const first = await run('npm', parameters, { folder, seconds: 240 })
  return first.code === 0 ? first.output : await mustRun('npm', parameters, { folder, seconds: 240 })
}

async function oldestNode(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/node', OLDEST_NODE)
  const program = join(folder, 'node_modules/node/bin/node')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    await install([`node@${OLDEST_NODE}`], folder)
  }
  return program
}

function writeConsumer(folder: string): void {
  const lines = (some: readonly Entry[], line: (name: string, index: number) => string) =>
    `${some.map(({ name }, index) => line(name, index)).join('\n')}\n`
  const files = {
    'package.json': '{ "private": true, "type": "module" }\n',
    'imports.js': lines(required, name => `import '${name}'`),
    'requires.cjs': lines(required, name => `require('${name}')`) + refusals(),
    'types.ts': lines(entries, (name, index) => `export * as entry${index} from '${name}'`),
    'types.cts': lines(required, (name, index) => `import entry${index} = require('${name}')\nvoid entry${index}`),
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
  copyFileSync(join(root, 'packages/e2e/harness/programs/commonjs-journey.cjs'), join(folder, 'journey.cjs'))
}

/** Returns lines that assert that CommonJS cannot load entries that are ES modules only. */
const refusals = (): string =>
  entries
    .filter(({ isModuleOnly }) => isModuleOnly)
    .map(
      ({ name }) =>
        `require('node:assert').throws(() => require('${name}'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })\n`,
    )
    .join('')

/** Returns the version of React's types that TypeScript apps install. */
const reactTypes = (): string => {
  const { version } = JSON.parse(
    readFileSync(join(root, 'packages/react/node_modules/@types/react/package.json'), 'utf8'),
  )
  return `@types/react@${version}`
}

async function consume(tarballs: readonly string[], folder: string): Promise<void> {
  writeConsumer(folder)
  const [node] = await Promise.all([oldestNode(), install(['--ignore-scripts', reactTypes(), ...tarballs], folder)])
  await Promise.all([
    mustRun(node, ['imports.js'], { folder }),
    mustRun(node, ['requires.cjs'], { folder }),
    mustRun(node, ['journey.cjs', 'memory'], { folder }),
    mustRun(node, ['journey.cjs', 'sqlite'], { folder }),
    mustRun('tsc', ['--project', '.'], { folder }),
  ])
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-packed-'))
try {
  for (const name of ['tarballs', 'consumer']) mkdirSync(join(folder, name))
  const tarballs = await pack(join(folder, 'tarballs'))
  await Promise.all([...tarballs.map(lint), consume(tarballs, join(folder, 'consumer'))])
  const only = entries.filter(({ isModuleOnly }) => isModuleOnly).map(({ name }) => name)
  process.stdout.write(
    `${tarballs.length} packed packages, ${entries.length} entries work on Node ${OLDEST_NODE}; ` +
      `an ES module only: ${only.join(', ')}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
