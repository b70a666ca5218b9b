/** Counters of a server process since its start. */
export interface ServerCounts {
  /** Number of answered requests. */
  readonly pulls: number
  readonly pushes: number
  /** Number of requested event streams. */
  readonly streamRequests: number
  /** Number of open event streams. */
  readonly streams: number
  /** Number of queries of the source that is queried at each pull. */
  readonly queries: number
}

export const NOTHING: ServerCounts = { pulls: 0, pushes: 0, streamRequests: 0, streams: 0, queries: 0 }

export async function countsOf(url: string): Promise<ServerCounts> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (line: string): number =>
    Number(
      text
        .split('\n')
        .find(one => one.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    )
  const requests = (route: string): number => value(`godwit_request_duration_seconds_count{route="${route}"}`)
  return {
    pulls: requests('device.pull'),
    pushes: requests('device.push'),
    streamRequests: requests('device.events'),
    streams: value('godwit_event_streams'),
    queries: value('godwit_query_duration_seconds_count{source="Volatile"}'),
  }
}
