/**
 * Builds every package into its dist folder, several concurrently, since no package reads another's dist.
 * `--stale` builds only packages older than their sources, and without declarations, which running does not need.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { generate } from './generate.ts'
import { mustRun } from './run.ts'
import { isBuilt, isProgram, root, type WorkspacePackage, workspacePackages } from './workspace.ts'

const onlyStale = process.argv.includes('--stale')
const shared = ['tsup.config.ts', 'tsconfig.base.json', 'pnpm-lock.yaml'].map(path => join(root, path))
/** Returns the dist folder of a package. Its modification time is set to the time at which its build began. */
const distOf = ({ folder, manifest }: WorkspacePackage) => join(folder, manifest.site ?? 'dist')

/** Returns the latest modification time of a file or of a folder's content; folders count, so that a removed file is noticed. */
function lastChange(path: string): number {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  return Math.max(status.mtimeMs, ...readdirSync(path).map(name => lastChange(join(path, name))))
}

function isStale(pkg: WorkspacePackage): boolean {
  if (!existsSync(distOf(pkg))) return true
  const inputs = [...shared, ...[pkg, ...bundledPackages(pkg)].flatMap(sourcesOf)]
  return Math.max(...inputs.map(lastChange)) > statSync(distOf(pkg)).mtimeMs
}

const sourcesOf = ({ folder }: WorkspacePackage): readonly string[] =>
  ['package.json', 'src', 'index.html', 'vite.config.ts', 'public'].map(name => join(folder, name)).filter(existsSync)

/** Returns the packages whose sources a build includes: pages bundle their dependencies, programs those packages that are never built. */
function bundledPackages({ manifest }: WorkspacePackage): readonly WorkspacePackage[] {
  const { site, dependencies = {}, devDependencies = {} } = manifest
  if (site !== undefined) return workspacePackages().filter(other => other.manifest.name in dependencies)
  return workspacePackages().filter(other => other.manifest.name in devDependencies && !isBuilt(other))
}

/** Builds into a temporary folder and renames it, so that processes running from dist never see an incomplete build. */
async function build(pkg: WorkspacePackage): Promise<void> {
  const begun = new Date()
  const next = `${distOf(pkg)}.${process.pid}`
  const environment = { BUILD_OUT: `dist.${process.pid}`, BUILD_TYPES: onlyStale ? 'no' : 'yes' }
  try {
    if (pkg.manifest.site === undefined)
      await mustRun('tsup', ['--config', join(root, 'tsup.config.ts')], { folder: pkg.folder, environment })
    else
      await mustRun(join(pkg.folder, 'node_modules/.bin/vite'), ['build', '--outDir', next, '--emptyOutDir'], {
        folder: pkg.folder,
        // Its configuration may load packages, whose sources are taken: none reads the build of another.
        environment: { NODE_OPTIONS: '--conditions=source' },
      })
    checkClassFields(next)
    utimesSync(next, begun, begun)
    replaceFolder(distOf(pkg), next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

function replaceFolder(folder: string, next: string): void {
  const old = `${next}.old`
  unless('ENOENT', () => renameSync(folder, old))
  // A concurrent build of the same sources was faster: keep its result.
  unless('ENOTEMPTY', () => renameSync(next, folder))
  rmSync(old, { recursive: true, force: true })
}

function unless(expected: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== expected) throw error
  }
}

/** What a transform makes of a public field: a method that runs after private fields, which then read `undefined`. */
const REWRITTEN = /\b__init\d*\s*\(\)\s*\{/

/** Throws if a built file of a folder initializes class fields in another order than its sources do. */
export function checkClassFields(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.[cm]?js$/.test(name) || !REWRITTEN.test(readFileSync(join(folder, name), 'utf8'))) continue
    throw new Error(`${name}: expected class fields as they are in the sources, got fields rewritten to methods`)
  }
}

async function buildAll(): Promise<void> {
  const started = performance.now()
  await generate()
  const waiting = workspacePackages().filter(pkg => isBuilt(pkg) && (!onlyStale || isStale(pkg)))
  const count = waiting.length
  const failures: string[] = []
  async function worker(): Promise<void> {
    for (let pkg = waiting.shift(); pkg; pkg = waiting.shift()) {
      const { path } = pkg
      await build(pkg).catch((error: Error) => failures.push(`${path}: ${error.message.trim()}`))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))

  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (count > 0) process.stdout.write(`built ${count - failures.length} of ${count} packages in ${seconds} s\n`)
  for (const failure of failures) process.stderr.write(`\n${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}

if (isProgram(import.meta.url)) await buildAll()
