import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Record<string, { readonly import?: unknown; readonly browser?: unknown }>
  /** Replaces the fields above in the packed package. */
  readonly publishConfig?: { readonly exports?: Record<string, unknown> }
  readonly bin?: Record<string, string>
  /** For pages: the folder of their build output, relative to the package. */
  readonly site?: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

export interface WorkspacePackage {
  /** Path relative to the root, with forward slashes: `packages/store`. */
  readonly path: string
  readonly folder: string
  readonly manifest: Manifest
}

export const root = fileURLToPath(new URL('..', import.meta.url))

/** True for the module that was started as a program. Node before 24, which may install and build, lacks `import.meta.main`. */
export const isProgram = (url: string): boolean => url === pathToFileURL(process.argv[1] ?? '').href

/** Returns all packages of the workspace, sorted by group. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return ['apps', 'apps/device', 'packages']
    .flatMap(group => readdirSync(join(root, group)).map(name => `${group}/${name}`))
    .filter(path => existsSync(join(root, path, 'package.json')))
    .map(path => {
      const folder = join(root, path)
      return { path, folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest }
    })
}

/** False for packages that have only sources, which other packages bundle. */
export const isBuilt = ({ manifest: { exports = {}, bin, site } }: WorkspacePackage): boolean =>
  Boolean(bin ?? site) || Object.values(exports).some(({ browser, import: module }) => Boolean(module ?? browser))
export const isPublished = ({ manifest }: WorkspacePackage): boolean => manifest.private !== true

/** Copies the sources of every package and the given paths of the root to a new folder, and links the installed packages. */
export function copyWorkspace(paths: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'godwit-copy-'))
  for (const path of paths) cpSync(join(root, path), join(copy, path), { recursive: true })
  linkInstalled(copy)
  for (const { path, folder } of workspacePackages()) {
    // Copied with an enclosing folder.
    if (existsSync(join(copy, path))) continue
    cpSync(folder, join(copy, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: source => !/\/(dist|\.types)(\/|\.|$)/.test(source.slice(root.length)),
    })
  }
  return copy
}

/** Links workspace packages to their copies, and all others to the installed ones. */
function linkInstalled(copy: string): void {
  const installed = join(root, 'node_modules')
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(installed))
    if (name === '@godwit')
      cpSync(join(installed, name), join(copy, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    else if (name !== '.cache') symlinkSync(join(installed, name), join(copy, 'node_modules', name))
}
