// Cities whose first query never ends: bulk data of them is under way until the server is.
import { defineSource } from '@godwit/server'

export default {
  sources: [defineSource({ name: 'City', partition: 'app', pollInterval: 0, query: () => new Promise(() => {}) })],
  authenticate: async (login, password) => login === password,
  limits: { passwordCost: 16 },
}
