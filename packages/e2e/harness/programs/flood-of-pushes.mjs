// Measures the latency of one user's pulls while another user floods the server with pushes, with the limit of concurrent pushes
// per user and without it. Usage: `node flood-of-pushes.mjs [rounds]`.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const AT_ONCE = 64
const MUTATIONS = 100
const [mode = '3', url = '', login = ''] = process.argv.slice(2)

async function ask(url, path, { body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = {}) {
  const json = { ...headers, 'content-type': 'application/json' }
  return fetch(url + path, { method, headers: body === undefined ? headers : json, body: body && JSON.stringify(body) })
}

async function sessionOf(url, login) {
  const { session } = await (await ask(url, '/rc/v1/app/login', { body: { login, password: login } })).json()
  return `Bearer ${session}`
}

async function deviceOf(url, authorization) {
  const made = await (await ask(url, '/rc/v1/clients', { body: {}, headers: { authorization } })).json()
  const headers = { authorization, 'x-sync-client-id': made.client.client_id }
  const { epoch } = await (await ask(url, '/app/v1/Note', { headers })).json()
  return { headers, epoch }
}

/** Pushes in an endless loop; registers a new client when a push fails. */
async function flood(url, authorization) {
  for (;;) {
    const { headers, epoch } = await deviceOf(url, authorization)
    for (let number = 1; ; number += MUTATIONS) {
      const mutations = Array.from({ length: MUTATIONS }, (_, n) => {
        const key = randomBytes(16).toString('hex')
        return { number: number + n, key, operation: 'create', object: key, attributes: { text: 'x'.repeat(200) } }
      })
      const body = { epoch, acknowledged: number - 1, mutations }
      const answer = await ask(url, '/app/v1/Note', { body, headers })
      await answer.arrayBuffer()
      if (answer.status === 429) number -= MUTATIONS
      else if (!answer.ok) break
    }
  }
}

/** Returns the durations of sequential pulls in milliseconds, sorted. */
async function pulls(url, { headers }, count) {
  const times = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    await (await ask(url, '/app/v1/Note', { headers })).arrayBuffer()
    times.push(performance.now() - begun)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return times.sort((one, other) => one - other)
}

const shown = times => {
  const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

async function measured(pushesPerUser) {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const server = spawn(process.execPath, [`${root}apps/server/dist/godwit.js`, 'start'], {
    env: {
      ...process.env,
      ...{ PORT: '0', SYNC_STORE: 'memory:', SYNC_LOG_LEVEL: 'error', PUSHES_PER_USER: String(pushesPerUser) },
      SYNC_CONFIG: `${root}packages/e2e/harness/configs/flooded-notes.mjs`,
      SYNC_ADMIN_PASSWORD: 'a password of tests',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found = await new Promise((resolve, reject) => {
    server.once('exit', () => reject(new Error('expected the server to listen, it ended')))
    server.stdout.on('data', text => {
      const [, url] = /listening on (http:\S+)/.exec(text) ?? []
      if (url) resolve(url)
    })
  })
  const grace = await deviceOf(found, await sessionOf(found, 'grace'))
  await pulls(found, grace, 50)
  const alone = await pulls(found, grace, 200)
  const flooding = spawn(process.execPath, [fileURLToPath(import.meta.url), 'flood', found, 'ada'], {
    stdio: 'inherit',
  })
  await new Promise(resolve => setTimeout(resolve, 2000))
  const among = await pulls(found, grace, 200)
  flooding.kill('SIGKILL')
  server.removeAllListeners('exit')
  server.kill('SIGKILL')
  const ratio = (among[100] / alone[100]).toFixed(1)
  process.stdout.write(
    `pushesPerUser ${pushesPerUser}: alone ${shown(alone)}; in the flood ${shown(among)}; p50 × ${ratio}\n`,
  )
}

if (mode === 'flood') {
  const session = await sessionOf(url, login)
  await Promise.all(Array.from({ length: AT_ONCE }, () => flood(url, session)))
} else
  for (let round = 0; round < Number(mode); round++) {
    await measured(4)
    await measured(10_000)
  }
