// A source whose query never returns, so that building its bulk file does not end before the server does.
import { defineSource } from '@godwit/server'

export default {
  sources: [defineSource({ name: 'City', partition: 'app', pollInterval: 0, query: () => new Promise(() => {}) })],
  authenticate: async (login, password) => login === password,
  limits: { passwordCost: 16 },
}
