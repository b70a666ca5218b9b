import type { Engine } from '../engine.js'
import type { QueryData } from '../jobs/enqueue.js'
import { QUERIED_CHANNEL } from '../sources/channels.js'
import { isDue } from './due.js'
import { runOrWait } from './others-run.js'
import { runQuery } from './run-query.js'

/** The query that a pull put into a queue. Nothing is to be done where it is due no more, or its collection was dropped meanwhile. */
export async function queryAsAsked(
  engine: Engine,
  { parameters, user, epoch, ...collection }: QueryData,
): Promise<void> {
  const source = engine.sources.find(collection.source)
  const head = await engine.store.collections.head(collection)
  const isAsked = Object.keys(parameters).length > 0
  if (source?.methods.query && head?.epoch === epoch && (isAsked || isDue(source, head, engine.clock()))) {
    await runOrWait(engine, collection, () => runQuery(engine, { source, collection, user, parameters, epoch }))
  }
  await engine.store.events.publish(QUERIED_CHANNEL, { ...collection, epoch })
}
