import { figure, percentile } from '../measure.js'
import { floor } from '../systems/floor.js'
import { godwits } from '../systems/godwit.js'
import { type Client, cpuMicroseconds } from '../systems/system.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

const CONNECTIONS = 8

/** Pulls of devices that are up to date: pulls per second over 8 connections, latency, and the server's processor time. */
export const noChange: Workload = {
  name: 'c. no-change pulls',
  systems: [floor('NORMAL'), ...godwits],
  run: (kind, { objects, runs, requests }) =>
    withSystem(kind, async system => {
      const results = []
      let filled = 0
      for (const count of objects) {
        await fill(system, 'ada', filled, count)
        filled = count
        const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => system.client('ada')))
        for (const client of clients) await client.pull()
        await load(clients, requests)
        const rates: number[] = []
        const medians: number[] = []
        const tails: number[] = []
        const costs: number[] = []
        for (let run = 0; run < runs; run++) {
          const before = cpuMicroseconds(system.pid)
          const { rate, times } = await load(clients, requests * 5)
          costs.push((cpuMicroseconds(system.pid) - before) / times.length)
          rates.push(rate)
          medians.push(percentile(times, 0.5))
          tails.push(percentile(times, 0.99))
        }
        for (const client of clients) client.close()
        const of = `${count.toLocaleString('en-US')} objects`
        results.push(
          { measure: `${of}, pulls/s`, ...figure(rates) },
          { measure: `${of}, p50 ms`, ...figure(medians) },
          { measure: `${of}, p99 ms`, ...figure(tails) },
          { measure: `${of}, server us`, ...figure(costs) },
        )
      }
      return results
    }),
}

async function load(clients: readonly Client[], each: number): Promise<{ rate: number; times: readonly number[] }> {
  const times: number[] = []
  const began = performance.now()
  await Promise.all(
    clients.map(async client => {
      for (let request = 0; request < each; request++) {
        const requested = performance.now()
        await client.pull()
        times.push(performance.now() - requested)
      }
    }),
  )
  return { rate: (1000 * times.length) / (performance.now() - began), times: times.sort((a, b) => a - b) }
}
