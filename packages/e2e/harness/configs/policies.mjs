// One source per conflict policy, each with an in-memory backend.
import { defineSource } from '@godwit/server'

function backend() {
  const objects = new Map()
  return {
    query: () => Object.fromEntries(objects),
    create: (attributes, { idempotencyKey }) => {
      objects.set(idempotencyKey, attributes)
      return idempotencyKey
    },
    update: (id, changes) => {
      objects.set(id, { ...objects.get(id), ...changes })
    },
    delete: id => {
      objects.delete(id)
    },
  }
}

const source = (name, settings) => defineSource({ name, pollInterval: 0, idempotent: true, ...backend(), ...settings })

export default {
  sources: [
    source('ClientWins', { conflict: 'client-wins' }),
    source('ServerWins', { conflict: 'server-wins' }),
    source('Reject', { conflict: 'reject' }),
    source('Mine', { resolve: ({ theirs, mine }) => ({ ...theirs, ...mine }) }),
    source('Resolve', { resolve: ({ theirs, mine }) => ({ ...theirs, note: `${theirs.note} and ${mine.note}` }) }),
  ],
}
