// Notes of 1.5 million characters that each policy of conflicts decides on, in a backend in memory.
import { defineSource } from '@godwit/server'

const large = 'x'.repeat(1_500_000)

function source(name, settings) {
  const objects = new Map(['cut', 'go', 'stale'].map(id => [id, { text: large, title: id }]))
  return defineSource({
    name,
    pollInterval: 0,
    idempotent: true,
    query: () => Object.fromEntries(objects),
    update: (id, changes) => {
      objects.set(id, { ...objects.get(id), ...changes })
    },
    delete: id => {
      objects.delete(id)
    },
    ...settings,
  })
}

export default {
  sources: [
    source('Reject', { conflict: 'reject' }),
    source('Resolve', { resolve: ({ unknown, theirs }) => ({ ...theirs, title: `unknown: ${unknown.join()}` }) }),
  ],
}
