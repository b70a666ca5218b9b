// Sources of a long mixed run: prices that are queried every two seconds, tasks that devices write, with photos.
import { defineSource, refusal } from '@godwit/server'

const PRICES = 300
let round = 0

const Price = defineSource({
  name: 'Price',
  partition: 'app',
  pollInterval: 2,
  // A tenth of them changes with every query.
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
  // The load is many users on one address; hashing passwords is not what is looked at.
  authenticate: () => true,
  limits: { readerNote: 1, blobLife: 20 },
}
