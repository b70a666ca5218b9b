// Orders of each user and prices of all, as many as a file says, which tests change while the server runs.
import { readFileSync } from 'node:fs'
import { defineSource } from '@godwit/server'

/** Objects `from` to before `to`, each with the note of the moment. */
const query = name => () => {
  const { from, to, note } = JSON.parse(readFileSync(process.env.TERRITORIES, 'utf8'))[name]
  return Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`${name} ${from + at}`, { note }]))
}

export default {
  sources: [
    defineSource({ name: 'Order', pollInterval: 3600, query: query('Order') }),
    defineSource({ name: 'Price', partition: 'app', pollInterval: 3600, query: query('Price') }),
  ],
  authenticate: async (login, password) => login === password,
  limits: { passwordCost: 16, sweepInterval: 0.2, confirmRemovals: 2 },
}
