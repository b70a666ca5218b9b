import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'

/** A device in a separate process; arguments: SERVER STORAGE HOW. Prints the cost of one first sync, by pulls or bulk data, as JSON. */
const [server = '', storage = 'bag', how = 'pull'] = process.argv.slice(2)

/** The result of one first sync. */
export interface FirstSync {
  readonly objects: number
  readonly seconds: number
  /** Objects per second in the first and the last tenth of the sync. */
  readonly firstTenth: number
  readonly lastTenth: number
  /** Peak resident memory minus that before the sync, in bytes. */
  readonly growthBytes: number
}

const attributes = Object.fromEntries(Array.from({ length: 6 }, (_, name) => [`attribute_${name}`, t.string()]))
const Item = defineModel('Item', { sync: 'incremental', storage: storage === 'fixed' ? 'fixed' : 'bag', attributes })

const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
const sdk = await openSdk({ directory, server, models: { Item }, eventStream: false })
sdk.pollInterval = 0
await sdk.login('ada', 'ada')
const before = resident('VmRSS')
const marks: { readonly objects: number; readonly at: number }[] = [{ objects: 0, at: performance.now() }]
sdk.setNotification('Item', ({ cumulative_count }) => marks.push({ objects: cumulative_count, at: performance.now() }))
const began = performance.now()
if (how === 'bulk') await sdk.bulkSync()
else await sdk.sync()
const seconds = (performance.now() - began) / 1000
const growthBytes = resident('VmHWM') - before
const objects = sdk.models.Item.count()
await sdk.close()
rmSync(directory, { recursive: true, force: true })
const answer: FirstSync = {
  objects,
  seconds,
  firstTenth: rate(0, objects / 10),
  lastTenth: rate((objects * 9) / 10, objects),
  growthBytes,
}
process.stdout.write(JSON.stringify(answer))

function rate(from: number, to: number): number {
  const first = marks.find(mark => mark.objects >= from) ?? { objects: 0, at: 0 }
  const last = marks.find(mark => mark.objects >= to) ?? first
  return ((last.objects - first.objects) * 1000) / (last.at - first.at)
}

/** Returns resident memory in bytes: VmRSS is the current value, VmHWM the peak. */
function resident(name: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
