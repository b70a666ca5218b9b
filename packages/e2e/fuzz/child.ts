import { fuzz } from './fuzz.js'
import type { StoreName } from './world.js'

/** One fuzz in a separate process: arguments `seed requests store`. Exits with 1 when a law is violated. */
const [seed = 1, requests = 20_000] = process.argv.slice(2, 4).map(Number)
const store = (process.argv[4] ?? 'memory') as StoreName
const begun = performance.now()
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const { faults, logged, statuses, succeeded } = await fuzz({
  seed,
  requests,
  store,
  onFault: ({ at, operation, what, planned: { caller, request } }) => {
    const body = request.body?.toString().slice(0, 600) ?? ''
    say(`\n✗ request ${at}, ${operation} by ${caller ?? 'nobody'}: ${what}`)
    say(`  ${request.method} ${request.address.slice(0, 600)}\n  ${body}`)
  },
})
for (const line of new Set(logged)) say(`\n✗ logged: ${line.slice(0, 2000)}`)
const seconds = (performance.now() - begun) / 1000
say(`\n${requests} requests in ${seconds.toFixed(1)} s, answered with ${JSON.stringify(statuses)}`)
say(`${succeeded.size} operations succeeded at least once; ${faults.length} faults`)
if (faults.length + logged.length > 0) {
  say(`again: pnpm --filter @godwit/e2e fuzz -- --seed ${seed} --requests ${requests} --store ${store}`)
  process.exitCode = 1
}
