// A source of OBJECTS objects of OBJECT_BYTES each, the same for all users.
import { defineSource } from '@godwit/server'

const objectBytes = Number(process.env.OBJECT_BYTES)
const objects = Number(process.env.OBJECTS)
/** Number of objects in one part of the result, of at most 4 MB. */
const part = Math.max(1, Math.floor(4_000_000 / objectBytes))

async function* query() {
  const note = 'x'.repeat(objectBytes)
  for (let from = 0; from < objects; from += part) {
    const ids = Array.from({ length: Math.min(part, objects - from) }, (_, at) => `${from + at}`)
    yield Object.fromEntries(ids.map(id => [id, { note: id + note }]))
  }
}

export default {
  sources: [defineSource({ name: 'Note', partition: 'app', pollInterval: 3600, query })],
  authenticate: async (login, password) => login === password,
  limits: { passwordCost: 16 },
}
