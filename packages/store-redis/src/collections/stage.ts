import type { Attributes, ObjectMap } from '@godwit/protocol'
import { attributesText, SeenIds, storedId } from '@godwit/store/history'
import type { Staging } from './staging.js'

/** Limits of one comparison step: objects, and characters of their JSON. */
const BATCH_SIZE = 125
const LENGTH = 131_072

/** Facts about a query result, complete once all of it was staged. */
export interface StagedResult {
  readonly ids: SeenIds
  /** How many of the ids exist in the collection. */
  live: number
  /** The collection's version at the first comparison. */
  version: number | undefined
}

/** Compares a streamed query result with the collection, and stages the differences. */
export async function stage(staging: Staging, parts: AsyncIterable<ObjectMap>): Promise<StagedResult> {
  const seen: StagedResult = { ids: new SeenIds(), live: 0, version: undefined }
  for await (const part of parts) {
    const objects = [...new Map(Object.entries(part).map(textOf))]
    for (const some of stepsOf(objects)) await compare(staging, seen, some)
  }
  return seen
}

function* stepsOf(objects: readonly (readonly [string, string])[]): Generator<typeof objects> {
  for (let from = 0; from < objects.length; ) {
    let to = from
    for (let length = 0; to < objects.length && to - from < BATCH_SIZE && length < LENGTH; to++)
      length += objects[to]?.[1].length ?? 0
    yield objects.slice(from, to)
    from = to
  }
}

/** Two ids can become equal when made well-formed; the later one wins. */
const textOf = ([id, attributes]: readonly [string, Attributes]) => [storedId(id), attributesText(attributes)] as const

async function compare(
  staging: Staging,
  seen: StagedResult,
  objects: readonly (readonly [string, string])[],
): Promise<void> {
  const { version, compared } = await staging.put(objects)
  seen.version ??= version
  for (const [at, [id, text]] of objects.entries()) {
    const one = compared[at] ?? 'new'
    const isStaged = one === 'new' || one === 'other'
    const isNew = seen.ids.record(id, isStaged || one === 'equal' ? text : one, isStaged)
    if (isNew && one !== 'new') seen.live++
  }
}
