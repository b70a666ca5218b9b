import { lstatSync, type Stats, statSync } from 'node:fs'
import { refusal } from './open-file.js'

/** Throws unless a copy of `store` may get this name: it must be free, or name another regular file. */
export function assertWritablePath(path: string, store: string): void {
  if (path === '') throw refusal('expected the name of a file for the backup, got an empty one.')
  const own = ['', '-wal', '-shm', '-journal'].some(end => isSameFile(path, store + end))
  if (own) throw refusal(`expected another file for the backup, got the store itself: ${path}.`)
  const there = fileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (there !== undefined && !there.isFile())
    throw refusal(`A backup replaces files alone, and ${path} is ${kindOf(there)}. Name a file.`)
}

/** True if both names lead to the same file, through any links. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map(path =>
    fileErrors(path, () => statSync(path, { throwIfNoEntry: false, bigint: true })),
  )
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Converts errors of the file system to errors that name the path. */
export function fileErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw isSystemError(error) ? refusal(`Cannot use ${path}: ${error.message}.`, error) : error
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error

const kindOf = (there: Stats): string =>
  there.isDirectory() ? 'a folder' : there.isSymbolicLink() ? 'a link' : 'a device, a pipe or a socket'
