import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { postgresIsThere, startPostgres } from './postgres.js'

const whenThere = postgresIsThere() ? test : test.skip

whenThere('a PostgreSQL server keeps its port when it restarts or crashes, and frees it at its end', async () => {
  const postgres = await startPostgres()
  const port = Number(new URL(postgres.url).port)
  await postgres.restart()
  await postgres.crash()
  const open = connect(port, '127.0.0.1')
  await once(open, 'connect')
  open.destroy()
  await postgres.stop()
  const [error] = await once(connect(port, '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
