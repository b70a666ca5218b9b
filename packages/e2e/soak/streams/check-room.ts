import { readFileSync } from 'node:fs'

/** A stream takes a file of the server; beside it, requests of devices that pull at the same time. */
const FILES_OF_STREAM = 1.25
const OTHER_FILES = 500
/** The share of local ports that streams may take: pulls, and connections that were just closed, need the rest. */
const SHARE_OF_PORTS = 0.75

/** Throws, with what to do, where this machine cannot hold that number of streams of one server. */
export function checkRoom(streams: number): void {
  const files = openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  const needed = Math.ceil(streams * FILES_OF_STREAM) + OTHER_FILES
  if (files < needed)
    throw new Error(
      `--streams ${streams}: expected a limit of ${needed} open files, got ${files}; ulimit -n ${needed} raises it`,
    )
  const [first = 0, last = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
    .trim()
    .split(/\s+/)
    .map(Number)
  const most = Math.floor((last - first + 1) * SHARE_OF_PORTS)
  if (streams > most)
    throw new Error(
      `--streams ${streams}: expected at most ${most}, since local ports are ${first} to ${last}; sysctl net.ipv4.ip_local_port_range widens them`,
    )
}

/** Node raises its own limit to the hard one. */
function openFilesIn(limits: string): number {
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? []
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}
