// A source of notes for floods of pushes; PUSHES_PER_USER is the limit of concurrent pushes for each user.
import { defineSource } from '@godwit/server'

const pushesPerUser = Number(process.env.PUSHES_PER_USER ?? 4)

export default {
  sources: [defineSource({ name: 'Note', pollInterval: -1, idempotent: true, create: () => undefined })],
  authenticate: async (login, password) => login === password,
  limits: { pushesPerUser, passwordCost: 16 },
}
