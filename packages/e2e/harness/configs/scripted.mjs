// The sources of a scripted backend, which runs beside the tests: BACKEND is its address, SERVER the name under which this process calls it.
// With QUEUE the writes of all go through workers, by a queue of that name.
import { defineSource, refusal } from '@godwit/server'

const { BACKEND, SERVER, QUEUE } = process.env

const source = (name, settings) => {
  async function ask(operation, { partition, idempotencyKey: key, signal }, given = {}) {
    const body = JSON.stringify({ ...given, source: name, partition, key, server: SERVER })
    const answer = await fetch(`${BACKEND}/${operation}`, { method: 'POST', body, signal })
    if (answer.status === 422) throw refusal(await answer.text())
    if (!answer.ok) throw new Error(`the backend answered ${answer.status}`)
    return answer.json()
  }
  return defineSource({
    name,
    pollInterval: 0,
    timeout: 1,
    queryTimeout: 20,
    maxRemovedShare: 1,
    ...(QUEUE && { cudQueue: QUEUE }),
    query: context => ask('query', context),
    // A true answer counts however late it comes: the time-out does not break the call off.
    create: (attributes, { signal: _, ...context }) => ask('create', context, { attributes }),
    update: async (object, attributes, { signal: _, ...context }) =>
      void (await ask('update', context, { object, attributes })),
    delete: async (object, { signal: _, ...context }) => void (await ask('delete', context, { object })),
    ...settings,
  })
}

export default {
  sources: [
    source('Safe', { idempotent: true }),
    source('Unsafe', {}),
    source('Board', { idempotent: true, partition: 'app' }),
  ],
  limits: {
    sweepInterval: 0.5,
    queryLease: 2,
    callMargin: 1,
    jobLease: 2,
    passwordCost: 16,
    ...JSON.parse(process.env.LIMITS ?? '{}'),
  },
}
