import { type Measures, MOST_COUNTED } from '../measures.js'
import type { MemoryState } from './memory-state.js'

export function measure({ collections }: MemoryState): Measures {
  const undecided = { queued: 0, started: 0, in_doubt: 0 }
  let counted = 0
  for (const { journal } of collections.values()) {
    for (const { state } of journal.undecided) {
      if (counted === MOST_COUNTED) return { bytes: undefined, replicas: undefined, undecided }
      if (state === 'decided') continue
      undecided[state]++
      counted++
    }
  }
  return { bytes: undefined, replicas: undefined, undecided }
}
