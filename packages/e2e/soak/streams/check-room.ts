import { readFileSync } from 'node:fs'

/** Open files per stream of the server, including concurrent pulls, and other open files. */
const FILES_OF_STREAM = 1.25
const OTHER_FILES = 500
/** Share of local ports for streams; pulls and recently closed connections need the rest. */
const SHARE_OF_PORTS = 0.75

/** Throws with instructions if this machine cannot hold this number of streams of one server. */
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

/** Returns the hard limit of open files, to which Node raises its soft limit. */
function openFilesIn(limits: string): number {
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? []
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
}
