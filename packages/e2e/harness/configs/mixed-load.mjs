// Sources for a long mixed load: prices, queried every two seconds, and tasks with photos, written by devices.
import { defineSource, refusal } from '@godwit/server'

const PRICES = 300
let round = 0

const Price = defineSource({
  name: 'Price',
  partition: 'app',
  pollInterval: 2,
  // Each query changes a tenth of the prices.
  query() {
    round++
    const changed = id => Math.floor((round + id) / 10)
    return Object.fromEntries(
      Array.from({ length: PRICES }, (_, id) => [`p${id}`, { amount: changed(id), currency: 'EUR' }]),
    )
  },
  search: ({ text }) => ({ [`p${text}`]: { amount: 1, currency: 'EUR' } }),
})

const Task = defineSource({
  name: 'Task',
  pollInterval: -1,
  idempotent: true,
  create({ title }) {
    if (String(title).startsWith('refused')) throw refusal('Titles that begin like that are refused.')
  },
  update: () => undefined,
  delete: () => undefined,
})

export default {
  sources: [Price, Task],
  // Accepts every login: many users share one address, and password hashing is not measured.
  authenticate: () => true,
  limits: { positionInterval: 1, blobLife: 20 },
}
