import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
