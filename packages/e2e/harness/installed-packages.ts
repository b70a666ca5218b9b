import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { inRepository } from './process.js'

interface Manifest {
  readonly name: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly bin?: { readonly [command: string]: string }
}

/** Installs the published packages into a folder without a registry: the packed tarballs, with their dependencies from the workspace. */
export function installPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  const tarballs = join(folder, 'tarballs')
  for (const path of [modules, tarballs]) mkdirSync(path, { recursive: true })
  execFileSync(process.execPath, [inRepository('scripts/pack.ts'), tarballs, '--without-declarations'])
  for (const tarball of readdirSync(tarballs)) unpack(join(tarballs, tarball), modules)
  rmSync(tarballs, { recursive: true })
}

function unpack(tarball: string, modules: string): void {
  execFileSync('tar', ['-xzf', tarball, '-C', modules])
  const packed = join(modules, 'package')
  const {
    name,
    dependencies = {},
    bin = {},
  } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Manifest
  const home = join(modules, name)
  mkdirSync(dirname(home), { recursive: true })
  renameSync(packed, home)
  for (const other of Object.keys(dependencies)) if (!isOurs(other)) link(other, name, modules)
  for (const [command, program] of Object.entries(bin)) {
    mkdirSync(join(modules, '.bin'), { recursive: true })
    chmodSync(join(home, program), 0o755)
    symlinkSync(join(home, program), join(modules, '.bin', command))
  }
}

const isOurs = (name: string): boolean => name === 'godwit' || name.startsWith('@godwit/')

function link(other: string, dependent: string, modules: string): void {
  const path = join(modules, other)
  if (existsSync(path)) return
  const workspaceFolder = dependent === 'godwit' ? 'apps/server' : dependent.replace('@godwit/', 'packages/')
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(inRepository(`${workspaceFolder}/node_modules/${other}`)), path)
}
