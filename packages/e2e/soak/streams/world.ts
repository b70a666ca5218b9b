import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import type { DeviceCounts } from '@godwit/model/testing'
import { freePort } from '@godwit/testing'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../../harness/server-process.js'
import { Child } from './child.js'
import type { ListenersQuestion, ListenersSettings } from './listeners.js'
import type { PhaseParts } from './phase.js'
import type { ProbeResult, ProberQuestion, ProberSettings } from './prober.js'
import { openSdks, type Sdks } from './sdks.js'
import { countsOf } from './server-counts.js'

export interface StreamsOptions {
  /** Address of the store. */
  readonly store: string
  /** Folder of the devices with databases. */
  readonly folder: string
  readonly streams: number
  /** Number of devices with the complete SDK; at least two. */
  readonly sdks: number
  /** Seconds between two syncs of a device. */
  readonly pollInterval: number
}

/** A server, listening devices and a prober, each in separate processes. */
export interface StreamsWorld extends PhaseParts {
  readonly sdks: Sdks
  /** Logs all devices in. */
  join(): Promise<void>
  /** Pushes another edition of the shared object. */
  change(): Promise<void>
  /** Stops the server and starts another one at the same address. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Returns true if every device has an open stream. */
  allListen(): Promise<boolean>
  /** Returns true if every device has the last change. */
  allHaveIt(): Promise<boolean>
  /** Returns the server's resident memory in bytes. */
  resident(): number
  close(): Promise<void>
}

/** Maximum streams of one process of devices. */
const PROCESS = 5000

export async function openStreamsWorld(options: StreamsOptions): Promise<StreamsWorld> {
  const { store, folder, streams, pollInterval } = options
  const port = await freePort()
  const serve = (): Promise<ServerProcess> =>
    startServer({ store, port, config: 'many-streams.mjs', environment: { SYNC_LOG_LEVEL: 'error' } })
  let server = await serve()
  const { url } = server
  const { token } = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })
  const admin = new AdminClient({ url, token })
  const prober = new Child<ProberQuestion>('prober', { url } satisfies ProberSettings)
  const sdks = await openSdks({ folder: join(folder, 'sdks'), url, count: options.sdks, pollInterval })
  const light = streams - options.sdks
  const crowds = Array.from({ length: Math.ceil(light / PROCESS) }, (_, index) => {
    const first = index * PROCESS
    const settings: ListenersSettings = { url, first, count: Math.min(PROCESS, light - first), pollInterval }
    return new Child<ListenersQuestion>('listeners', settings)
  })
  const askAll = <T>(question: ListenersQuestion): Promise<readonly T[]> =>
    Promise.all(crowds.map(crowd => crowd.ask<T>(question)))
  let edition = 0
  let head = 0
  return {
    sdks,
    join: async () => void (await askAll({ do: 'login' })),
    async change() {
      head = (await admin.push.objects('Shared', '*', { one: { edition: ++edition } })).version
    },
    async restart(signal) {
      await server.kill(signal)
      server = await serve()
    },
    allListen: async () => (await countsOf(url)).streams === streams,
    async allHaveIt() {
      const behind = await askAll<number>({ do: 'behind', source: 'Shared', head })
      return behind.every(count => count === 0) && sdks.have(edition)
    },
    count: async () => ({ server: await countsOf(url), crowd: together(await askAll({ do: 'counts' })) }),
    cpu: () => cpuOf(server.child.pid ?? 0),
    beginProbes: () => prober.ask({ do: 'begin' }),
    endProbes: () => prober.ask<ProbeResult>({ do: 'end' }),
    resident: () => residentOf(server.child.pid ?? 0),
    async close() {
      await Promise.all(crowds.map(crowd => crowd.end()))
      await prober.end()
      await sdks.close()
      await server.kill('SIGTERM')
    },
  }
}

function together(each: readonly DeviceCounts[]): DeviceCounts {
  const sum = (name: Exclude<keyof DeviceCounts, 'failures'>): number =>
    each.reduce((total, one) => total + one[name], 0)
  const codes = new Set(each.flatMap(({ failures }) => Object.keys(failures)))
  const failures = [...codes].map(code => [code, each.reduce((all, one) => all + (one.failures[code] ?? 0), 0)])
  return {
    streams: sum('streams'),
    opened: sum('opened'),
    checks: sum('checks'),
    changes: sum('changes'),
    hinted: sum('hinted'),
    pulls: sum('pulls'),
    failures: Object.fromEntries(failures),
  }
}

function residentOf(process: number): number {
  const status = readFileSync(`/proc/${process}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}

/** Returns the processor time of a process in seconds; Linux counts in hundredths of a second. */
function cpuOf(process: number): number {
  const fields = readFileSync(`/proc/${process}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
