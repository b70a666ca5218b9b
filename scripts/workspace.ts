import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Record<string, unknown>
  /** Replaces the fields above in the packed package. */
  readonly publishConfig?: { readonly exports?: Record<string, unknown> }
  readonly bin?: Record<string, string>
  /** Of pages: the folder where their build goes, from their own. */
  readonly site?: string
  readonly dependencies?: Record<string, string>
}

export interface WorkspacePackage {
  /** Below the root, with forward slashes: `packages/store`. */
  readonly path: string
  readonly folder: string
  readonly manifest: Manifest
}

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Every package of the workspace, in the order of its paths. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return ['apps', 'apps/device', 'packages']
    .flatMap(group => readdirSync(join(root, group)).map(name => `${group}/${name}`))
    .filter(path => existsSync(join(root, path, 'package.json')))
    .map(path => {
      const folder = join(root, path)
      return { path, folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest }
    })
}

export const isBuilt = ({ manifest }: WorkspacePackage): boolean =>
  Boolean(manifest.exports ?? manifest.bin ?? manifest.site)
export const isPublished = ({ manifest }: WorkspacePackage): boolean => manifest.private !== true
