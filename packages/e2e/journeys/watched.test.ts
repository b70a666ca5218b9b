import { AdminClient } from '@godwit/admin-client'
import { describe, expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { STORES } from '../harness/stores.js'

const folder = folderPerTest()
const shared = STORES.filter(({ name }) => name === 'Redis')
const each = shared.length > 0 ? describe.each(shared) : describe.skip.each([...STORES])

each('servers over $name', ({ address }) => {
  test('a watcher of one server receives the events of another, and its stop', async () => {
    const store = await address(folder.path)
    const start = () => startServer({ store, config: 'pushed-cities.mjs' })
    const [one, other] = [await start(), await start()]
    const [watched, admin] = await Promise.all(
      [one, other].map(({ url }) => AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })),
    )
    const events = watched?.events({ kinds: ['objects_written', 'server_stopping'] })
    expect((await events?.next())?.value).toMatchObject({ kind: 'stream_started', resumed: false })
    await admin?.push.objects('City', '*', { Amman: { name: 'Amman' } })
    expect((await events?.next())?.value).toMatchObject({ kind: 'objects_written', source: 'City', changed: 1 })
    await other.kill('SIGTERM')
    expect((await events?.next())?.value).toMatchObject({ kind: 'server_stopping' })
    await events?.return(undefined as never)
  })
})
