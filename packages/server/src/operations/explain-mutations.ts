import type { Finding, ObjectId } from '@godwit/protocol'
import type { CollectionId, JournalEntry, UndecidedCursor } from '@godwit/store'
import type { Engine } from '../engine.js'

const PAGE = 500
/** Pages that are looked through: a server with more undecided mutations has another problem. */
const PAGES = 20

const MEANING = {
  queued: 'waits for its turn',
  started: 'was begun, and the process that ran it is gone; it will be taken up again',
  in_doubt: 'was sent to the backend and its effect is not known; an operator decides',
} as const

/** Findings about undecided changes of the object. */
export async function mutationFindings(
  { store }: Pick<Engine, 'store'>,
  { source, partition }: CollectionId,
  object: ObjectId,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const state of ['queued', 'started', 'in_doubt'] as const) {
    let after: UndecidedCursor | undefined
    for (let page = 0; page < PAGES; page++) {
      const entries: readonly JournalEntry[] = await store.journal.undecided({ state, after, limit: PAGE })
      for (const { collection, mutation, client, attempts } of entries) {
        if (collection.source !== source || collection.partition !== partition || mutation.object !== object) continue
        const what = `The ${mutation.operation} ${mutation.number} of the client ${client}`
        findings.push({ code: `mutation_${state}`, message: `${what} ${MEANING[state]} (attempts: ${attempts}).` })
      }
      const last = entries.at(-1)
      if (last === undefined || entries.length < PAGE) break
      after = { collection: last.collection, sequence: last.sequence }
    }
  }
  return findings
}
