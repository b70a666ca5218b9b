import { randomUUID } from 'node:crypto'
import { CLIENT_ID_HEADER, type Page } from '@godwit/protocol'
import { answer } from './child.js'

export interface ProberSettings {
  readonly url: string
}

export type ProberQuestion = { readonly do: 'begin' } | { readonly do: 'end' }

/** Latencies of a user outside the crowd, in milliseconds. */
export interface ProbeResult {
  readonly pulls: number
  readonly pushes: number
  readonly failed: readonly string[]
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** Milliseconds between two probes, which do not wait for earlier responses; every fifth is a push. */
const INTERVAL = 50

/** Runs a separate user in this process, who pulls and pushes continuously. */
export function runProber({ url }: ProberSettings): void {
  let headers: Record<string, string> | undefined
  let timer: NodeJS.Timeout | undefined
  let [pulls, pushes, epoch, number] = [0, 0, '', 0]
  let times: number[] = []
  let failed: string[] = []
  const waiting = new Set<Promise<void>>()
  let isPushing = false

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  const logIn = async (): Promise<void> => {
    const user = { login: 'prober', password: 'any' }
    const { session } = await call<{ session: string }>('POST', '/rc/v1/app/login', user)
    headers = { authorization: `Bearer ${session}` }
    const made = await call<{ client: { client_id: string } }>('POST', '/rc/v1/clients', {})
    headers = { ...headers, [CLIENT_ID_HEADER]: made.client.client_id }
    epoch = (await call<Page>('GET', '/app/v1/Own')).epoch
  }
  const create = () => {
    number++
    const mutation = { number, key: randomUUID(), operation: 'create', object: randomUUID(), attributes: { number } }
    return { epoch, acknowledged: number - 1, mutations: [mutation] }
  }
  const probe = (): void => {
    // Concurrent pushes of one client would measure something else.
    const isPush = (pulls + pushes) % 5 === 4 && !isPushing
    const began = performance.now()
    if (isPush) isPushing = true
    if (isPush) pushes++
    else pulls++
    const probing = (isPush ? call('POST', '/app/v1/Own', create()) : call('GET', '/app/v1/Shared?p_size=1')).then(
      () => void times.push(performance.now() - began),
      error => void failed.push(`${error} ${error.cause ?? ''}`.trim()),
    )
    waiting.add(probing)
    probing.finally(() => {
      waiting.delete(probing)
      if (isPush) isPushing = false
    })
  }

  answer<ProberQuestion>(async question => {
    if (question.do === 'begin') {
      if (headers === undefined) await logIn()
      ;[pulls, pushes, times, failed] = [0, 0, [], []]
      timer = setInterval(probe, INTERVAL)
      return undefined
    }
    clearInterval(timer)
    await Promise.all(waiting)
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): number => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
    const most = Math.round((sorted.at(-1) ?? 0) * 10) / 10
    return { pulls, pushes, failed: failed.slice(0, 5), p50: at(0.5), p99: at(0.99), most } satisfies ProbeResult
  })
}
