// Sources over PostgreSQL at POSTGRES, as somebody writes them who does not listen to the pool's errors.
import { defineSource, oncePerKey } from '@godwit/server'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.POSTGRES })

export default {
  authenticate: () => true,
  sources: [
    defineSource({
      name: 'Order',
      idempotent: true,
      partition: 'app',
      pollInterval: 0,
      async query() {
        const { rows } = await pool.query('SELECT id, product FROM orders')
        return Object.fromEntries(rows.map(({ id, product }) => [id, { product }]))
      },
      create: (order, { idempotencyKey }) =>
        oncePerKey(pool, idempotencyKey, async client => {
          const { rows } = await client.query('INSERT INTO orders (product) VALUES ($1) RETURNING id', [order.product])
          return { id: rows[0].id }
        }),
    }),
    defineSource({
      name: 'Careless',
      pollInterval: 0,
      query() {
        void Promise.resolve().then(() => JSON.parse('{'))
        setTimeout(() => {
          throw new Error('nobody\ncatches this')
        }, 1)
        return {}
      },
    }),
    defineSource({
      name: 'Interrupting',
      pollInterval: 0,
      queryTimeout: 1,
      query: ({ signal }) =>
        new Promise(() => {
          // Runs within the code of Godwit that aborts.
          signal.addEventListener('abort', () => {
            throw new Error('the abort is disturbed')
          })
        }),
    }),
  ],
}
