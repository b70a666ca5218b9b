import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AdminClient } from '@godwit/admin-client'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { openDevice } from './testing/device.js'
import { workshop } from './testing/run-godwit.js'

const PASSWORD = 'a long one of words'
const SECRET = 'a secret of the backend'
const CONFIG = `export default ({ defineSource }) => ({
  sources: [defineSource({ name: 'Order', pollInterval: 0, remoteMethods: ['get', 'changes'] })],
  backend: { secret: '${SECRET}' },
})`
const page = readFileSync(fileURLToPath(new URL('../../../docs/plugin-backend.md', import.meta.url)), 'utf8')
const section = page.slice(page.indexOf('## Changes since a cursor'))
const program = /^```python\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? ''
jest.setTimeout(60_000)

let shop: ReturnType<typeof workshop>
let backend: ChildProcess | undefined
beforeEach(() => {
  shop = workshop()
})
afterEach(async () => {
  backend?.kill('SIGKILL')
  await shop.clear()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Resolves when something listens on the port. */
async function listens(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
    if (isOpen) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const testIf = spawnSync('python3', ['--version']).status === 0 ? test : test.skip

testIf('the backend by Python in docs/plugin-backend.md serves changes', async () => {
  const port = await freePort()
  // One more change for every read of the log, so that a pull after the first one has something to bring.
  const growing = program.replace('def changes(cursor):', 'def changes(cursor):\n    if cursor is not None: grow()')
  const grow =
    'def grow():\n    ORDERS["18"] = {"product": "Desk"}\n    ORDERS.pop("17", None)\n    LOG.extend(["18", "17"])\n\n'
  backend = spawn('python3', ['-c', grow + growing], {
    env: { PATH: process.env['PATH'], PORT: String(port), BACKEND_SECRET: SECRET },
    stdio: 'ignore',
  })
  await listens(port)
  writeFileSync(join(shop.folder, 'godwit.config.mjs'), CONFIG)
  const environment = { SYNC_STORE: 'memory:', SYNC_CONFIG: 'godwit.config.mjs', SYNC_ADMIN_PASSWORD: PASSWORD }
  const url = await shop.run({ environment }).listening
  const admin = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
  await admin.system.writeAppServer(`http://127.0.0.1:${port}`)
  const ada = await openDevice(url, 'ada', { password: 'ada knows' })
  const pulled = async () => (await (await ada.pull('Order')).json()) as { insert?: object; total_count: number }
  expect(await pulled()).toMatchObject({ insert: { 17: { product: 'Lamp', amount: 3 } }, total_count: 1 })
  expect(await pulled()).toMatchObject({ insert: { 18: { product: 'Desk' } }, total_count: 1 })
})
