// The server that is measured: sources that only pushes fill, with backends in memory.
import { defineSource } from '@godwit/server'

const written = new Map()
const backend = {
  create: (attributes, { idempotencyKey }) => {
    written.set(idempotencyKey, attributes)
    return { id: idempotencyKey }
  },
}

export default {
  sources: [
    defineSource({ name: 'Item', partition: 'user', pollInterval: -1 }),
    defineSource({ name: 'Once', partition: 'user', pollInterval: -1, ...backend }),
    defineSource({ name: 'Again', partition: 'user', pollInterval: -1, idempotent: true, ...backend }),
  ],
}
