import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { partOf } from '@godwit/testing'
import { inRepository } from '../../harness/process.js'
import type { Mutant } from './mutant.js'
import { type Fault, guardedText } from './plant.js'

/** Runs after which every planted fault was planted. */
const TURNS = 3
/** Number of the last commits in which a change of a guarded declaration brings its faults in at once. */
const RECENT = 50

/** Returns the planted faults of this run: a third, and those whose guarded declaration the last commits have changed; at night all. */
export function mutantsOfTurn(all: readonly Mutant[]): readonly Mutant[] {
  const turn = new Set(partOf(all, TURNS))
  const before = recentCommit()
  return all.filter(
    mutant => turn.has(mutant) || [mutant, ...(mutant.also ?? [])].some(fault => hasChanged(fault, before)),
  )
}

/** True if the declaration that a fault is in differs from that of a commit, or was not there. */
export function hasChanged(fault: Fault, commit: string): boolean {
  const former = git('show', `${commit}:${fault.file}`)
  if (former === undefined) return true
  try {
    return guardedText(former, fault) !== guardedText(readFileSync(inRepository(fault.file), 'utf8'), fault)
  } catch {
    return true // no such declaration then
  }
}

/** The commit before the recent ones; the oldest there is in a short or shallow history. */
function recentCommit(): string {
  const commits = git('rev-list', `--max-count=${RECENT + 1}`, '--first-parent', 'HEAD') ?? ''
  return commits.trim().split('\n').at(-1) || 'HEAD'
}

function git(...words: readonly string[]): string | undefined {
  if (!existsSync(inRepository('.git'))) return undefined
  try {
    return execFileSync('git', words, { cwd: inRepository('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
