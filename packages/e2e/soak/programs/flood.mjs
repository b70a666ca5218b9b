// Measures the latency of one user's pulls while another user pushes 500 mutations per request in a loop, with and without the event loop
// turns that a push leaves to other requests. Runs of both kinds alternate; prints the medians of their ratios at the end.
//   flood [--rounds 8] [--seconds 6] [--store memory|sqlite]
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from '../../simulator/programs/bundler.ts'

const { values } = parseArgs({
  // pnpm passes on its `--`.
  args: process.argv.slice(2).filter((word, at) => at > 0 || word !== '--'),
  options: {
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '6' },
    store: { type: 'string', default: 'memory' },
  },
})
const WARM = 2000
const MUTATIONS = 500

const JSON_TYPE = { 'content-type': 'application/json' }
const post = async (url, headers, body) =>
  (await fetch(url, { method: 'POST', headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) })).json()

async function deviceOf(url, login) {
  const { session } = await post(`${url}/rc/v1/app/login`, {}, { login, password: login })
  const authorization = { authorization: `Bearer ${session}` }
  const { client } = await post(`${url}/rc/v1/clients`, authorization, {})
  return { ...authorization, 'x-sync-client-id': client.client_id }
}

const pull = async (url, source, headers) => (await fetch(`${url}/app/v1/${source}`, { headers })).json()

/** Pushes until `run` ends, and counts the applied mutations. */
async function flood(url, run) {
  const headers = await deviceOf(url, 'ada')
  const { epoch } = await pull(url, 'Note', headers)
  let [number, acknowledged] = [0, 0]
  while (!run.isOver) {
    const mutations = Array.from({ length: MUTATIONS }, () => ({
      number: ++number,
      key: randomUUID(),
      operation: 'create',
      object: randomUUID(),
      attributes: { title: `title ${number}` },
    }))
    const { outcomes } = await post(`${url}/app/v1/Note`, headers, { epoch, acknowledged, mutations })
    if (outcomes.some(({ status }) => status !== 'applied')) throw new Error('expected every mutation to be applied')
    acknowledged = outcomes.at(-1).outcome
    run.pushed += outcomes.length
  }
}

async function pullAgainAndAgain(url, run) {
  const headers = await deviceOf(url, 'grace')
  while (!run.isOver) {
    const begun = performance.now()
    await pull(url, 'Other', headers)
    run.times.push(performance.now() - begun)
    await after(5)
  }
}

async function processorTime(child) {
  child.send('?')
  const [{ user, system }] = await once(child, 'message')
  return (user + system) / 1e6
}

async function measure(file) {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-flood-'))
  const place = values.store === 'sqlite' ? join(folder, 'store.sqlite') : 'memory'
  const child = fork(file, [place], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const [{ url }] = await once(child, 'message')
    const run = { isOver: false, pushed: 0, times: [] }
    const working = Promise.all([flood(url, run), pullAgainAndAgain(url, run)])
    await after(WARM)
    run.times.length = 0
    const [pushed, used] = [run.pushed, await processorTime(child)]
    await after(Number(values.seconds) * 1000)
    const processor = (await processorTime(child)) - used
    const perSecond = (run.pushed - pushed) / processor
    run.isOver = true
    await working
    const times = run.times.sort((one, other) => one - other)
    const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))]
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99), perSecond }
  } finally {
    child.kill()
    await once(child, 'close')
    rmSync(folder, { recursive: true, force: true })
  }
}

const middle = numbers => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
const shown = figures =>
  Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure < 10 ? figure.toFixed(2) : Math.round(figure)}`)
    .join('  ')

const folder = fileURLToPath(new URL('../../dist/', import.meta.url))
mkdirSync(folder, { recursive: true })
const files = [`${folder}flood-${process.pid}.mjs`, `${folder}flood-without-${process.pid}.mjs`]
const [withTurns, without] = files
const entry = 'packages/e2e/soak/flood/server.ts'
const place = { file: 'packages/server/src/device/push/event-loop-share.ts', find: '#storeWaits = false' }
try {
  await bundle(withTurns, { entry })
  await bundle(without, { entry, mutant: { ...place, replace: '#storeWaits = true' } })
  const ratios = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const found = new Map()
    for (const file of round % 2 === 0 ? files : [...files].reverse()) found.set(file, await measure(file))
    const [one, other] = [found.get(withTurns), found.get(without)]
    ratios.push(Object.fromEntries(Object.keys(one).map(name => [name, one[name] / other[name]])))
    process.stdout.write(`with turns: ${shown(one)}   without: ${shown(other)}\n`)
  }
  const names = Object.keys(ratios[0])
  const medians = Object.fromEntries(names.map(name => [name, middle(ratios.map(ratio => ratio[name]))]))
  process.stdout.write(
    `with / without: ${shown(medians)} (milliseconds of a pull; mutations per second of processor time)\n`,
  )
} finally {
  for (const file of files) rmSync(file, { force: true })
}
