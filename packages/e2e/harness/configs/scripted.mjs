// Sources of the scripted backend, which runs in the tests' process. BACKEND is its URL; SERVER is the name that this process sends to it.
// QUEUE is the name of a queue for all writes; without it, they run with the request.
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
    // The call continues after the source's timeout, since a late success still counts.
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
