import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIZE = 4 * 1024 * 1024
export const FILLER = 'filler'

/** Creates temporary file systems of 4 MiB. */
export function smallDisks(): { make(): string; removeAll(): void } {
  const cleanups: (() => unknown)[] = []
  return {
    make() {
      const folder = mkdtempSync(join(tmpdir(), 'godwit-full-'))
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' })
      cleanups.push(() => execFileSync('umount', ['--lazy', folder]))
      return folder
    },
    removeAll() {
      for (const clean of cleanups.splice(0).reverse()) clean()
    },
  }
}

/** True if this user may mount a file system. Otherwise only the SQLite store's own suite tests a full file, by its page limit. */
export const isPossible = canMount()

function canMount(): boolean {
  const disks = smallDisks()
  try {
    disks.make()
    return true
  } catch {
    return false
  } finally {
    disks.removeAll()
  }
}

/** Writes a file until the disk is full. */
export function fill(folder: string): void {
  const path = join(folder, FILLER)
  writeFileSync(path, '')
  for (let bytes = 64 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) appendFileSync(path, new Uint8Array(bytes))
    } catch {}
  }
  if (statfsSync(folder).bavail !== 0) throw new Error(`expected ${folder} to be full`)
}
