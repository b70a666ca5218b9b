/**
 * Packs every published package as it would be published. As a command, packs into the given folder; `--without-declarations`
 * accepts a build by `build --stale`, which is enough to run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mustRun } from './run.ts'
import { isPublished, root, type WorkspacePackage, workspacePackages } from './workspace.ts'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }

export const published = workspacePackages().filter(isPublished)

/** Runs the pnpm that started this script, or the workspace's version, on the workspace's Node. */
function pnpm(parameters: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const program = process.env['npm_execpath'] ?? ''
  if (/pnpm\.c?js$/.test(program)) return mustRun('node', [program, ...parameters], { folder: root, environment })
  return mustRun('npx', ['-y', packageManager, ...parameters], { folder: root, environment })
}

/** Returns the declaration files in a package's `exports` that its build lacks. */
export function missingDeclarations({ folder, manifest }: WorkspacePackage): readonly string[] {
  const named = JSON.stringify(manifest.publishConfig?.exports ?? {}).match(/[^"]+\.d\.c?ts(?=")/g) ?? []
  return [...new Set(named)].map(path => join(folder, path)).filter(path => !existsSync(path))
}

/** Packs all packages, in one process, and returns the paths of the tarballs. Each refuses to be packed without the declarations that it names. */
export async function pack(
  destination: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const filters = published.map(({ manifest }) => `--filter=${manifest.name}`)
  await pnpm(['--recursive', ...filters, 'pack', '--pack-destination', destination], environment)
  return readdirSync(destination).map(name => join(destination, name))
}

if (import.meta.main) {
  const [folder = '.', ...options] = process.argv.slice(2)
  const isEnough = options.includes('--without-declarations')
  const [missing] = isEnough ? [] : published.flatMap(missingDeclarations)
  if (missing === undefined) await pack(resolve(folder), isEnough ? { PACK_WITHOUT_DECLARATIONS: 'yes' } : {})
  else {
    process.stderr.write(`expected a build with declarations, got none at ${missing}. Run \`pnpm build\` first.\n`)
    process.exitCode = 1
  }
}
