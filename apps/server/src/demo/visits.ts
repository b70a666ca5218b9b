import type { Attributes, AttributeValue } from '@godwit/protocol'
import { defineSource, refusal } from '@godwit/server'
import type { VisitBackend } from './visit-backend.js'

/** A user's visits to cities, in a backend that ignores repeated calls. */
export const visitsIn = (backend: VisitBackend) =>
  defineSource<Attributes>({
    name: 'Visit',
    pollInterval: 0,
    idempotent: true,
    belongsTo: { city_id: 'City' },
    // Includes the photos, since the server's store may be empty.
    async query({ user, putBlob }) {
      const visits = backend.visitsOf(user)
      for (const bytes of backend.photosOf(user)) await putBlob(bytes)
      return visits
    },
    async storeBlob({ hash, read }) {
      backend.keepPhoto(hash, await concatParts(read()))
    },
    create(visit, { user, idempotencyKey }) {
      const attributes = validateVisit(visit)
      return { id: backend.add(user, attributes, idempotencyKey), attributes }
    },
    update(id, changes, { user, idempotencyKey }) {
      const attributes = validateVisit(changes as Attributes)
      if (!backend.change(user, id, attributes, idempotencyKey)) throw refusal(`Visit ${id} no longer exists.`)
      return attributes
    },
    // Of two devices that change one note, the later keeps its text and shows both. A visit that another device has changed is not deleted.
    resolve: ({ theirs, mine }) => theirs && ({ ...theirs, ...mine } as Attributes),
    delete: (id, { user, idempotencyKey }) => backend.remove(user, id, idempotencyKey),
  })

/** Returns the visit as stored. Throws a refusal with a message for the user. */
function validateVisit(visit: Attributes): Attributes {
  for (const name of ['city_id', 'note', 'visited_at', 'photo']) {
    const value = visit[name] ?? ''
    if (typeof value !== 'string') throw refusal(`${name}: expected text, got ${JSON.stringify(value)}.`)
  }
  const { rating } = visit
  return rating === undefined || rating === null ? visit : { ...visit, rating: toRating(rating) }
}

async function concatParts(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  for await (const part of parts) read.push(part)
  return Buffer.concat(read)
}

/** Forms send numbers as text. */
function toRating(rating: AttributeValue): number {
  const stars = typeof rating === 'string' && /^\d+$/.test(rating) ? Number(rating) : rating
  if (typeof stars === 'number' && Number.isInteger(stars) && stars >= 1 && stars <= 5) return stars
  throw refusal(`rating: expected a whole number from 1 to 5, got ${JSON.stringify(rating)}.`)
}
