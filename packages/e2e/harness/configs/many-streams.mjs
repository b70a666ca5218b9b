// Sources for many listening devices: a shared one filled only by pushes, one partitioned by user,
// and one that is queried at each pull and returns a different result each time.
import { defineSource } from '@godwit/server'

let asked = 0

export default {
  sources: [
    defineSource({ name: 'Shared', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Own', pollInterval: -1, idempotent: true, create: () => undefined }),
    defineSource({
      name: 'Volatile',
      partition: 'app',
      pollInterval: 0,
      query: () => ({ one: { asked: ++asked } }),
    }),
  ],
  // Accepts every login: many users share one address, and password hashing is not measured.
  authenticate: () => true,
}
