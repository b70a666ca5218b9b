import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const City = defineModel('City', { partition: 'app', sync: 'incremental', attributes: { name: t.string() } })

afterEach(endAll)

/** Runs a function with a temporary server; afterwards the SQLite file is complete. */
async function life<T>(
  folder: string,
  port: number,
  use: (url: string) => Promise<T>,
): Promise<{ readonly result: T; readonly port: number }> {
  const server = await startServer({
    store: `sqlite:${join(folder, 'godwit.sqlite')}`,
    config: 'pushed-cities.mjs',
    port,
  })
  const result = await use(server.url)
  await server.kill('SIGTERM')
  return { result, port: Number(new URL(server.url).port) }
}

test('devices notice a restored older database, and converge on it', async () => {
  const { AdminClient } = await import('@godwit/admin-client')
  const { ADMIN_PASSWORD } = await import('../harness/server-process.js')
  const folder = temporaryFolder()
  const push = async (url: string, names: readonly string[]) => {
    const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
    await admin.push.objects('City', '*', Object.fromEntries(names.map(name => [name, { name }])))
  }
  const device = async (url: string) => {
    const sdk = await openSdk({ directory: join(folder.path, 'device'), server: url, models: { City } })
    sdk.pollInterval = 0
    await sdk.login('ada', 'ada')
    await sdk.sync()
    const names = sdk.models.City.find().map(({ name }) => name)
    await sdk.close()
    return names.sort()
  }
  const backup = join(folder.path, 'backup.sqlite')
  const file = join(folder.path, 'godwit.sqlite')

  const { result: first, port } = await life(folder.path, 0, async url => {
    await push(url, ['Amman', 'Bern'])
    return device(url)
  })
  expect(first).toEqual(['Amman', 'Bern'])
  copyFileSync(file, backup)

  const { result: second } = await life(folder.path, port, async url => {
    await push(url, ['Cairo', 'Delhi'])
    return device(url)
  })
  expect(second).toEqual(['Amman', 'Bern', 'Cairo', 'Delhi'])
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  copyFileSync(backup, file)

  const { result: third } = await life(folder.path, port, async url => {
    await push(url, ['Essen', 'Fez', 'Graz'])
    return device(url)
  })
  expect(third).toEqual(['Amman', 'Bern', 'Essen', 'Fez', 'Graz'])
  folder.remove()
})
