import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AdminClient } from '@godwit/admin-client'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { openDevice } from './testing/device.js'
import { workshop } from './testing/run-godwit.js'

const PASSWORD = 'a long one of words'
const CONFIG = `export default ({ defineSource }) => ({
  sources: ['Price', 'Task'].map(name => defineSource({ name, partition: name === 'Price' ? 'app' : 'user', pollInterval: -1 })),
})`
const page = readFileSync(fileURLToPath(new URL('../../../docs/plugin-backend.md', import.meta.url)), 'utf8')
jest.setTimeout(60_000)

let shop: ReturnType<typeof workshop>
beforeEach(() => {
  shop = workshop()
})
afterEach(() => shop.clear())

const exists = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** Runs a program of the page against a server that has its user, and returns ada's objects of both sources. */
async function ran(language: string, interpreter: string): Promise<{ readonly said: string; readonly has: unknown }> {
  writeFileSync(join(shop.folder, 'godwit.config.mjs'), CONFIG)
  const environment = { SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.mjs', SYNC_ADMIN_PASSWORD: PASSWORD }
  const url = await shop.run({ environment }).listening
  const admin = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
  await admin.users.create({ login: 'erp', password: 'its password' }, { role: 'plugin' })
  const program = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''
  const { status, stdout, stderr } = spawnSync(interpreter, ['-'], {
    input: program.replace('GODWIT=http://127.0.0.1:8675', `GODWIT=${url}`),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GODWIT: url },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const ada = await openDevice(url, 'ada')
  const inserted = async (source: string) => ((await (await ada.pull(source)).json()) as { insert?: object }).insert
  return { said: stdout, has: [await inserted('Price'), await inserted('Task')] }
}

const testIf = (program: string) => (exists(program) ? test : test.skip)

testIf('curl')('the pushes by curl in docs/plugin-backend.md reach devices', async () => {
  const { said, has } = await ran('sh', 'sh')
  expect(said.split('\n')[0]).toBe('{"version":1,"changed":2,"count":2}')
  expect(has).toEqual([{ p1: { name: 'Phone', price: 160 } }, { t1: { text: 'Call back' } }])
})

testIf('python3')('the pushes by Python in docs/plugin-backend.md reach devices', async () => {
  const { said, has } = await ran('python', 'python3')
  expect(said.trim().split('\n')).toHaveLength(2)
  expect(has).toEqual([{ p1: { name: 'Phone', price: 170.5 } }, undefined])
})
