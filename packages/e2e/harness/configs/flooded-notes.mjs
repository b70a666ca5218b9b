// Notes that anybody may create, and how many pushes of one user are worked on at once.
import { defineSource } from '@godwit/server'

const pushesPerUser = Number(process.env.PUSHES_PER_USER ?? 4)

export default {
  sources: [defineSource({ name: 'Note', pollInterval: -1, idempotent: true, create: () => undefined })],
  authenticate: async (login, password) => login === password,
  limits: { pushesPerUser, passwordCost: 16 },
}
