import type { Mutation } from '@godwit/protocol'
import type { FakeJournal } from './journal.js'

/** With the real ids of owners that are decided by now. */
export function withLinks(journal: FakeJournal, mutation: Mutation): Mutation {
  const { owners = [], attributes } = mutation
  if (!attributes) return mutation
  const links = linksOf(journal)
  const linked = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'string' && owners.includes(value) ? (links.get(value) ?? value) : value,
  ])
  return { ...mutation, attributes: Object.fromEntries(linked) }
}

function linksOf({ outcomes, mutations }: FakeJournal): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  for (const { number, link } of outcomes) {
    const object = mutations.get(number)?.mutation.object
    if (link !== undefined && object !== undefined) links.set(object, link)
  }
  return links
}

/** Whether an owner's create was refused: then nothing that depends on it is tried. */
export function ownerRefused({ outcomes, mutations }: FakeJournal, { owners }: Mutation): boolean {
  if (!owners) return false
  return outcomes.some(({ number, status }) => {
    const refused = status !== 'applied' && status !== 'in_doubt' ? mutations.get(number)?.mutation : undefined
    return refused?.operation === 'create' && owners.includes(refused.object)
  })
}
