// Sources of many devices that listen: one that only pushes fill, one of each user's own, and one whose backend is asked at each pull and never answers the same.
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
  // Many users on one address; hashing passwords is not what is looked at.
  authenticate: () => true,
}
