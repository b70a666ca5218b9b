/** Packs every published package as it would be published. As a command: into the folder that is named. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mustRun } from './run.ts'
import { isPublished, root, workspacePackages } from './workspace.ts'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }

export const published = workspacePackages().filter(isPublished)

/** The pnpm that runs this script, or the one the workspace names, on the Node of the workspace. */
function pnpm(parameters: readonly string[], folder: string): Promise<string> {
  const program = process.env['npm_execpath'] ?? ''
  if (/pnpm\.c?js$/.test(program)) return mustRun('node', [program, ...parameters], { folder })
  return mustRun('npx', ['-y', packageManager, ...parameters], { folder })
}

/** Resolves with the paths of the tarballs. */
export async function pack(destination: string): Promise<readonly string[]> {
  await Promise.all(published.map(({ folder }) => pnpm(['pack', '--pack-destination', destination], folder)))
  return readdirSync(destination).map(name => join(destination, name))
}

if (import.meta.main) await pack(resolve(process.argv[2] ?? '.'))
