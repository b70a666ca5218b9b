import type { ObjectMap } from '@godwit/protocol'
import type { QueryContext, Source } from '../sources/source.js'
import { checkedPart, partsOf } from './check-answer.js'

/**
 * Everything that a query gives, part by part: what the source stashes while it runs, then what it returns or yields.
 * Ends when the source is done; throws what it throws.
 */
export async function* queryStream(source: Source, context: Omit<QueryContext, 'stash'>): AsyncGenerator<ObjectMap> {
  const stashed: ObjectMap[] = []
  let stash = false
  let wake = (): void => {}
  const answer = Promise.resolve(
    source.methods.query?.({
      ...context,
      stash(objects) {
        stash = true
        stashed.push(checkedPart(source.name, objects))
        wake()
      },
    }),
  )
  let done = false
  const end = (): void => {
    done = true
    wake()
  }
  answer.then(end, end)
  for (;;) {
    for (let part = stashed.shift(); part !== undefined; part = stashed.shift()) yield part
    if (done) break
    await new Promise<void>(resolve => {
      wake = resolve
    })
  }
  for await (const part of partsOf(source.name, await answer, stash)) {
    for (let early = stashed.shift(); early !== undefined; early = stashed.shift()) yield early
    yield part
  }
  yield* stashed
}
