import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { partOf } from '@godwit/testing'
import { inRepository } from '../../harness/process.js'
import type { Mutant } from './mutant.js'
import { type Fault, guardedText } from './plant.js'

/** Number of turns after which every fault was planted. */
const TURNS = 3
/** Number of the last commits whose changes of a guarded declaration bring its faults in at once. */
const RECENT = 50

/** Returns the planted faults of this run: a third, and those whose guarded declaration the last commits have changed; at night all. */
export function mutantsOfTurn(all: readonly Mutant[]): readonly Mutant[] {
  const turn = new Set(partOf(all, TURNS))
  const before = recentCommit()
  const isRecent = (fault: Fault): boolean =>
    isOtherDeclaration(git('show', `${before}:${fault.file}`), readFileSync(inRepository(fault.file), 'utf8'), fault)
  return all.filter(mutant => turn.has(mutant) || [mutant, ...(mutant.also ?? [])].some(isRecent))
}

/** True if the declaration that a fault is in differs between two texts of its file, or was not there before. */
export function isOtherDeclaration(before: string | undefined, now: string, fault: Fault): boolean {
  if (before === undefined) return true
  try {
    return guardedText(before, fault) !== guardedText(now, fault)
  } catch {
    return true // The declaration had another name.
  }
}

/** The commit before the recent ones; the oldest there is in a short or shallow history. */
const recentCommit = (): string =>
  git('rev-list', `--max-count=${RECENT + 1}`, '--first-parent', 'HEAD')
    ?.trim()
    .split('\n')
    .at(-1) ?? 'HEAD'

/** Returns what git prints; undefined if it fails, as for a file that was not there, or in an unpacked archive. */
function git(...words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: inRepository('.'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}
