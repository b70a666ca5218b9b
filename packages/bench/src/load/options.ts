import { parseArgs } from 'node:util'

/** Options of the load program. */
export interface LoadOptions {
  /** Number of devices. */
  readonly devices: number
  /** Number of users, among whom the devices are divided. Default: one per device. */
  readonly users: number
  /** Number of server processes on one store; more than one needs Redis. */
  readonly servers: number
  readonly store: 'sqlite' | 'redis'
  /** Objects of 244 bytes in the source that all devices share. */
  readonly objects: number
  /** Number of syncs of each device. */
  readonly rounds: number
  /** Seconds before each round. The server records a device's position at most once a minute, so use 60 or more to measure such a device. */
  readonly pause: number
  /** Objects of the shared source that change before each round. */
  readonly changes: number
  /** Number of syncs of a device between two creates. 0: none. */
  readonly writes: number
  /** Number of concurrent syncs. */
  readonly lanes: number
  /** Number of processes for the devices. */
  readonly processes: number
  /** `new`: each sync opens a connection, like a device. `kept`: each lane keeps one, like a proxy. */
  readonly connections: 'new' | 'kept'
  /** Whether every device also opens an event stream and receives one change. */
  readonly streams: boolean
  /** Seconds between heartbeats of event streams. */
  readonly heartbeat: number
  /** Prints the report as JSON instead. */
  readonly json: boolean
}

const NUMBERS = {
  devices: 1000,
  servers: 1,
  objects: 1000,
  rounds: 5,
  pause: 0,
  changes: 10,
  writes: 5,
  lanes: 32,
  processes: 1,
  heartbeat: 25,
} as const
type NumberName = keyof typeof NUMBERS

export const USAGE = `pnpm --filter @godwit/bench load [-- options]

  --devices 1000        simulated devices
  --users N             users they are shared among; default: each device has its own
  --store sqlite|redis  a Redis server is started for the run
  --servers 1           server processes; more than one need --store redis
  --objects 1000        objects of 244 bytes in the source that all devices share
  --rounds 5            syncs of each device, all of one round after the other
  --pause 0             seconds before each round: 61 for devices that sync once a minute or less often
  --changes 10          shared objects that change before each round
  --writes 5            syncs between two objects that a device creates for its user; 0: it creates none
  --lanes 32            syncs under way at once
  --processes 1         processes that the devices are spread over
  --connections new     each sync opens one, as devices do; kept: each lane keeps one, as a proxy does
  --streams             devices also listen to event streams, get a heartbeat, and one change is told to all
  --heartbeat 25        seconds between heartbeats
  --json                the report as one line of JSON
`

/** Throws a message with the correct usage. */
export function readOptions(words: readonly string[]): LoadOptions | 'help' {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: words.filter(word => word !== '--'),
    options: {
      ...(Object.fromEntries(Object.keys(NUMBERS).map(name => [name, text])) as Record<NumberName, typeof text>),
      users: text,
      store: text,
      connections: text,
      streams: flag,
      json: flag,
      help: flag,
    },
  })
  if (values.help === true) return 'help'
  const number = (name: NumberName): number => readWholeNumber(name, values[name], NUMBERS[name])
  const devices = number('devices')
  const options: LoadOptions = {
    devices,
    users: readWholeNumber('users', values.users, devices),
    servers: number('servers'),
    store: oneOf('store', values.store, ['sqlite', 'redis']),
    objects: number('objects'),
    rounds: number('rounds'),
    pause: number('pause'),
    changes: number('changes'),
    writes: number('writes'),
    lanes: number('lanes'),
    processes: number('processes'),
    connections: oneOf('connections', values.connections, ['new', 'kept']),
    heartbeat: number('heartbeat'),
    streams: values.streams ?? false,
    json: values.json ?? false,
  }
  for (const name of ['devices', 'users', 'servers', 'lanes', 'processes', 'heartbeat'] as const)
    if (options[name] === 0) throw new Error(`--${name}: expected 1 or more, got 0.`)
  if (options.changes > options.objects)
    throw new Error(`--changes: expected at most --objects (${options.objects}), got ${options.changes}.`)
  if (options.servers > 1 && options.store === 'sqlite')
    throw new Error('--servers: one process alone has a SQLite file. Use --store redis.')
  return options
}

function readWholeNumber(name: string, text: string | undefined, absent: number): number {
  if (text === undefined) return absent
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: expected a whole number, got ${text}.`)
  return Number(text)
}

function oneOf<const Name extends string>(
  name: string,
  text: string | undefined,
  known: readonly [Name, ...Name[]],
): Name {
  const found = text === undefined ? known[0] : known.find(one => one === text)
  if (found === undefined) throw new Error(`--${name}: expected ${known.join(' or ')}, got ${text}.`)
  return found
}
