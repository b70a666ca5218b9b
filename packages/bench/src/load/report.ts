import { cpus, release, totalmem } from 'node:os'
import { formatNumber, table } from '../table.js'
import type { Load } from './run-load.js'
import type { Memory } from './usage.js'

/** Costs per unit in bytes. */
export interface UnitCosts {
  readonly storePerObject: number
  readonly storePerDevice: number
  /** Total of all server processes, per registered idle device. */
  readonly livePerIdleDevice: number
  readonly residentPerIdleDevice: number
  /** Additional memory per listening device. */
  readonly livePerStream?: number
  readonly residentPerStream?: number
}

export interface Report extends Load {
  readonly machine: string
  readonly failed: number
  readonly costs: UnitCosts
}

export function reportOf(load: Load): Report {
  const { options, memory, steps } = load
  const per = (what: keyof Memory, from: Memory, to: Memory, count: number): number => (to[what] - from[what]) / count
  const { empty, filled, warm, joined, synced, listening } = memory
  const { devices, objects } = options
  return {
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`,
    failed: steps.reduce((total, step) => total + step.failed, 0),
    costs: {
      storePerObject: per('store', empty, filled, objects),
      storePerDevice: per('store', warm, joined, devices),
      livePerIdleDevice: per('live', warm, synced, devices),
      residentPerIdleDevice: per('resident', warm, synced, devices),
      ...(listening && {
        livePerStream: per('live', synced, listening, devices),
        residentPerStream: per('resident', synced, listening, devices),
      }),
    },
    ...load,
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
const mebibytes = (bytes: number): string => formatNumber(bytes / 2 ** 20)

/** Formats the report as text. */
export function textOf({ machine, options, steps, memory, costs, failed }: Report): string {
  const { devices, users, servers, store, objects, connections } = options
  const costNames: Record<keyof UnitCosts, string> = {
    storePerObject: 'store, per object',
    storePerDevice: 'store, per device after its first sync',
    livePerIdleDevice: 'servers, live, per idle device',
    residentPerIdleDevice: 'servers, resident, per idle device',
    livePerStream: 'servers, live, per event stream',
    residentPerStream: 'servers, resident, per event stream',
  }
  return [
    machine,
    `${devices} devices of ${users} users, ${servers} server process${servers > 1 ? 'es' : ''} on ${store}, ${objects} shared objects, connections: ${connections}, ${options.lanes} lanes, a pause of ${options.pause} s`,
    '',
    table(
      ['step', 'times', 'requests', 'rows', 'server CPU ms', 'Redis CPU ms', 'load CPU ms', 'p50 ms', 'p99 ms'],
      steps.map(step => [
        step.name,
        ...[step.count, step.requests, step.rows, step.serverCpu, step.redisCpu, step.loadCpu, step.p50, step.p99].map(
          formatNumber,
        ),
      ]),
    ),
    '',
    ...steps.map(
      ({ name, seconds, count, serverShare, loadShare }) =>
        `${name}: ${formatNumber(count / seconds)}/s over ${formatNumber(seconds)} s; servers used ${percent(serverShare)} of the machine, this program ${percent(loadShare)}`,
    ),
    '',
    table(
      ['memory', 'servers resident MiB', 'servers live MiB', 'store MiB'],
      Object.entries(memory).map(([name, { resident, live, store: bytes }]) => [
        name,
        ...[resident, live, bytes].map(mebibytes),
      ]),
    ),
    '',
    table(
      ['unit', 'bytes'],
      Object.entries(costs).map(([name, bytes]) => [costNames[name as keyof UnitCosts], formatNumber(bytes)]),
    ),
    '',
    `errors: ${failed}`,
    ...steps.flatMap(({ name, errors }) => errors.map(error => `  ${name}: ${error}`)),
  ].join('\n')
}
