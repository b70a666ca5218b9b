import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await endAll()
  folder.remove()
})

const post = async <T>(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<T> => {
  const json = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })
  return (await answer.json()) as T
}

async function askForBulkData({ url }: ServerProcess): Promise<unknown> {
  const { session } = await post<DeviceSession>(`${url}/rc/v1/app/login`, { login: 'ada', password: 'ada' })
  const authorization = `Bearer ${session}`
  const { client } = await post<ClientCreated>(`${url}/rc/v1/clients`, {}, { authorization })
  const headers = { authorization, [CLIENT_ID_HEADER]: client.client_id }
  return post(`${url}/rc/v1/app/bulk_data`, { partition_type: 'app', sources: ['City'] }, headers)
}

test('files of bulk data that a killed server was building are removed when the next one starts', async () => {
  const temporary = join(folder.path, 'temporary')
  mkdirSync(temporary)
  const left = () => readdirSync(temporary).filter(name => name.startsWith('godwit-bulk-'))
  const begin = (store = `sqlite:${join(folder.path, 'store.sqlite')}`) =>
    startServer({
      store,
      config: 'endless-cities.mjs',
      environment: { TMPDIR: temporary },
    })
  const first = await begin()
  expect(await askForBulkData(first)).toMatchObject({ status: 'wait' })
  while (left().length === 0) await setTimeout(10)
  const [abandoned = ''] = left()
  const beside = await begin('memory:')
  await askForBulkData(beside)
  while (left().length === 1) await setTimeout(10)
  await first.kill('SIGKILL')
  expect(left()).toHaveLength(2)
  const second = await begin()
  while (left().includes(abandoned)) await setTimeout(10)
  expect(left()).toHaveLength(1)
  await Promise.all([beside.kill(), second.kill()])
})
