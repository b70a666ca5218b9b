import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, workspacePackages } from './workspace.ts'

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
