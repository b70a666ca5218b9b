/**
 * Writes the fields of published manifests that say where the project is, from one place: `homepage`, `repository` and `bugs` of the
 * root's package.json, which the publisher fills in, and its `keywords`. Fields that the root lacks are removed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPublished, root, workspacePackages } from './workspace.ts'

/** Fields of the root's manifest. */
export interface Origin {
  readonly keywords?: readonly string[]
  readonly homepage?: string
  readonly repository?: { readonly type: string; readonly url: string }
  readonly bugs?: { readonly url: string }
}

const FIELDS = ['keywords', 'homepage', 'repository', 'bugs']

/** Returns the manifest of the package in a folder, with the origin's fields after its license. */
export function withOrigin(manifest: object, { repository, ...origin }: Origin, path: string): object {
  const fields = { ...origin, ...(repository && { repository: { ...repository, directory: path } }) }
  const given = Object.entries(fields).filter(([name]) => FIELDS.includes(name))
  const others = Object.entries(manifest).filter(([name]) => !FIELDS.includes(name))
  const at = others.findIndex(([name]) => name === 'license') + 1
  return Object.fromEntries([...others.slice(0, at), ...given, ...others.slice(at)])
}

const read = (folder: string): object => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the published manifests: file → what it has, and what it is to have. */
export const manifests = (): readonly (readonly [file: string, has: object, expected: object])[] =>
  workspacePackages()
    .filter(isPublished)
    .map(({ path, folder }) => {
      const has = read(folder)
      return [join(folder, 'package.json'), has, withOrigin(has, read(root), path)]
    })

if (import.meta.main)
  for (const [file, , expected] of manifests()) writeFileSync(file, `${JSON.stringify(expected, null, 2)}\n`)
