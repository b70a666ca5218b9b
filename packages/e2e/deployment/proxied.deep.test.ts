import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { findProgram, freePort } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { inRepository, start, startProgram } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'

const LISTENING_DEVICE = inRepository('packages/e2e/harness/programs/listening-device.mjs')
const caddy = findProgram({ names: ['caddy'], debian: 'caddy' })

const folder = folderPerTest()

/** The proxy of the compose file, on loopback, in front of a port. */
async function startProxy(program: string, upstream: number): Promise<string> {
  const url = `http://127.0.0.1:${await freePort()}`
  const text = readFileSync(inRepository('apps/server/Caddyfile'), 'utf8')
  const file = join(folder.path, 'Caddyfile')
  writeFileSync(file, text.replace('{$SITE::80} {', '$&\n\tbind 127.0.0.1'))
  startProgram(program, ['run', '--adapter', 'caddyfile', '--config', file], {
    cwd: folder.path,
    env: { HOME: folder.path, SITE: url, UPSTREAM: '127.0.0.1', UPSTREAM_PORT: `${upstream}` },
  })
  while (!(await fetch(`${url}/metrics`).catch(() => undefined))) await new Promise(done => setTimeout(done, 20))
  return url
}

/** A caller who claims to come from elsewhere, by https. */
const send = (url: string, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify(body),
  })
const logIn = (url: string) => send(url, '/rc/v1/app/login', { login: 'ada', password: 'ada' })

if (caddy === undefined) test.skip('what stands behind the proxy needs caddy', () => undefined)
else
  describe('behind the proxy', () => {
    const environment = { SYNC_TRUST_PROXY: 'true' }

    test('a server answers as it does without one, except for its metrics', async () => {
      const { url: direct } = await startServer({ store: 'memory:', environment })
      const url = await startProxy(caddy, Number(new URL(direct).port))
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect((await fetch(`${direct}/metrics`)).status).toBe(200)
      for (const path of ['/metrics', '/metrics?a', '/%6detrics']) expect((await fetch(url + path)).status).toBe(404)
      const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
      expect(await admin.push.objects('City', '*', { Amman: { name: 'Amman' } })).toMatchObject({ version: 1 })
    })

    test('a caller cannot forge its address or protocol', async () => {
      const { url: direct } = await startServer({ store: 'memory:', environment })
      const url = await startProxy(caddy, Number(new URL(direct).port))
      expect((await logIn(direct)).headers.get('set-cookie')).toContain('; Secure')
      expect((await logIn(url)).headers.get('set-cookie')).not.toContain('; Secure')
      await send(url, '/rc/v1/system/login', { login: 'admin', password: ADMIN_PASSWORD })
      const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
      expect(new Set((await admin.operations.audit()).map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
    })

    test('a device receives a change by its event stream', async () => {
      const { url: direct } = await startServer({ store: 'memory:', environment, config: 'pushed-cities.mjs' })
      const url = await startProxy(caddy, Number(new URL(direct).port))
      const device = start(LISTENING_DEVICE, [join(folder.path, 'device'), url, 'listen'])
      await device.line(/"synced":true/)
      const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
      await admin.push.objects('City', '*', { Amman: { name: 'Amman' } })
      await device.line(/"cities":\["Amman"\]/)
    })

    test('a request waits while its server is restarted', async () => {
      const port = await freePort()
      const first = await startServer({ store: 'memory:', environment, port })
      const url = await startProxy(caddy, port)
      await first.kill('SIGTERM')
      const waiting = fetch(`${url}/readyz`)
      await startServer({ store: 'memory:', environment, port })
      expect((await waiting).status).toBe(200)
    })
  })
