// Sources whose queries read the files in DATABASE, and append source, user and the time to its file `queries`.
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineSource } from '@godwit/server'

const { DATABASE = '', INTERVAL = '10' } = process.env

const polled = (name, partition) =>
  defineSource({
    name,
    partition,
    pollInterval: Number(INTERVAL),
    query({ user }) {
      appendFileSync(join(DATABASE, 'queries'), `${name} ${user} ${Date.now()}\n`)
      return { only: { text: readFileSync(join(DATABASE, name), 'utf8') } }
    },
  })

export default { authenticate: () => true, sources: [polled('Price', 'app'), polled('Order', 'user')] }
