import type { Attributes } from '@godwit/protocol'
import type { Chronicle } from './chronicle.js'
import { nameOf } from './sent.js'
import { sameObject } from './shown.js'
import { Violation } from './violation.js'
import type { World } from './world.js'

/** Where nobody polls, a collection has what its backend has, or a query of it is due: else nobody would ever find out. */
export async function whatIsNotDueIsTrue(world: World): Promise<void> {
  for (const chronicle of world.records.all()) {
    const { source, partition } = chronicle.collection
    const backend = world.backend(source)
    const { pollInterval, settle, passThrough } = backend.plan
    if (pollInterval >= 0 || settle > 0 || passThrough || !chronicle.isQueried || chronicle.isAsked) continue
    const whose = partition.replace(/^user:/, '')
    if (backend.isBusy(whose)) continue
    const truth = backend.objects(whose)
    const other = [...new Set([...truth.keys(), ...chronicle.ids()])].find(id => !isKept(chronicle, id, truth.get(id)))
    if (other === undefined || (await isUnheard(world, chronicle))) continue
    const facts = `${source} ${other} is ${JSON.stringify(truth.get(other))} in the backend; the collection had ${chronicle.of(other)}`
    throw new Violation('what is not due is true', facts)
  }
}

const isKept = (chronicle: Chronicle, id: string, truth: Attributes | undefined): boolean =>
  chronicle.find(id, chronicle.version, kept => sameObject(truth ?? null, kept)) !== undefined

/** Whether the backend did something that no journal says anything about: whoever began it will. What a store decided that went back since may run once more. */
async function isUnheard(world: World, { collection }: Chronicle): Promise<boolean> {
  const done = new Set(world.backend(collection.source).effects.map(({ key }) => key))
  const here = world.records
    .sent()
    .filter(sent => nameOf(sent.collection) === nameOf(collection) && done.has(sent.mutation.key))
  const entries = await world.servers.store.journal.entries(
    collection,
    here.map(({ mutation }) => mutation.key),
  )
  const states = new Map(entries.map(({ mutation, state }) => [mutation.key, state]))
  return here.some(({ outcome, mutation }) => {
    const state = states.get(mutation.key)
    return outcome === undefined ? state !== 'in_doubt' : state === 'queued' || state === 'started'
  })
}
