import { DEMO_LOGINS } from '../first-start.js'
import type { VisitBackend } from './visit-backend.js'

const DAY = 24 * 3600 * 1000

type SeededVisit = readonly [cityId: string, rating: number, text: string]

/** Three visits of each demo user, to cities by their GeoNames ids. */
export const SEEDED_VISITS: { readonly [login in (typeof DEMO_LOGINS)[number]]: readonly SeededVisit[] } = {
  ada: [
    ['2267057', 5, 'Lisbon: the steep street behind the market'],
    ['184745', 4, 'Nairobi: the new pump runs; order seals for the old one'],
    ['1857910', 3, 'Kyoto: closed on Tuesdays'],
  ],
  grace: [
    ['3143244', 4, 'Oslo: snow until noon, then the harbor'],
    ['2988507', 5, 'Paris: by train, then on foot along the canal'],
    ['3169070', 4, 'Rome: ask for the key at the front desk'],
  ],
  linus: [
    ['2761369', 5, 'Vienna: the meter is in the second courtyard'],
    ['2950159', 3, 'Berlin: the elevator is out of order'],
    ['3413829', 4, 'Reykjavík: bring warm gloves'],
  ],
}

/** Adds the visits once: a visit that its user removed stays removed. */
export function seedVisits(backend: Pick<VisitBackend, 'add'>, now = Date.now()): void {
  for (const login of DEMO_LOGINS)
    SEEDED_VISITS[login].forEach(([city_id, rating, text], at) => {
      backend.add(login, { city_id, rating, note: text, visited_at: visitedAt(at, now) }, `seeded ${login} ${at}`)
    })
}

/** When a user's visit was: the first three days ago, others a week before. */
export const visitedAt = (at: number, now = Date.now()): string => new Date(now - (7 * at + 3) * DAY).toISOString()
