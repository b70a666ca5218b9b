import { createServer } from 'node:net'
import { readSettings } from '../../config.js'
import type { Environment } from '../../environment.js'
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.js'

const TIMEOUT = 5_000

/** Checks the server at the address; if none runs there, checks whether one could. */
export async function checkServer(
  url: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const answer = await fetchAnswer(`${url}/readyz`, signal)
  if (!(answer instanceof Error)) return [...readiness(url, answer), ...clockFindings(answer)]
  if (environment['GODWIT_URL'])
    return [
      problem('server', `no response from ${url}: ${messageOf(answer)}`, 'Start it there, or correct GODWIT_URL.'),
    ]
  return [warning('server', `no server responds at ${url}`, 'Start it: godwit start.'), await portFinding(environment)]
}

interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

async function fetchAnswer(url: string, signal: AbortSignal): Promise<HttpAnswer | Error> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]) })
    return { status: response.status, headers: response.headers, body: await response.text() }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return cause instanceof Error ? cause : (error as Error)
  }
}

function readiness(url: string, { status, body }: HttpAnswer): readonly CheckResult[] {
  const reading = parseReadings(body)
  if (status === 200 && reading.status === 'ready')
    return [
      ok('server', `${url} is ready`),
      ...warningsOf(reading).map(says => warning('server', says, 'Follow its message.')),
    ]
  if (status === 503 && typeof reading.detail === 'string')
    return [problem('server', `${url} is not ready: ${reading.detail}`, 'Follow its message; its log has more.')]
  if (status === 503)
    return [problem('server', `${url} is not ready: ${body.slice(0, 200)}`, 'Check its log: it cannot use its store.')]
  const without = status === 200 ? ' without a readiness report' : ''
  const says = `${url} answers ${status}${without}: this is not a Godwit server`
  return [problem('server', says, 'Correct the address, or set another PORT.')]
}

interface ServerReadings {
  readonly status?: unknown
  readonly warnings?: unknown
  readonly detail?: unknown
}

/** Parses a reply of `/readyz`; empty for the page that other web servers return for any path. */
function parseReadings(body: string): ServerReadings {
  try {
    return (JSON.parse(body) as ServerReadings | null) ?? {}
  } catch {
    return {}
  }
}

const warningsOf = ({ warnings }: ServerReadings): readonly string[] =>
  Array.isArray(warnings) ? warnings.filter(one => typeof one === 'string') : []

/** Seconds of difference that are accepted: the header has whole seconds, and the response takes time. */
const MAX_CLOCK_SKEW = 10

function clockFindings({ headers }: HttpAnswer): readonly CheckResult[] {
  const time = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(time)) return []
  const apart = Math.round(Math.abs(Date.now() - time) / 1000)
  if (apart <= MAX_CLOCK_SKEW) return [ok('clock', 'matches the server')]
  return [
    warning(
      'clock',
      `differs from the server by ${apart} seconds`,
      'Synchronize the clocks of both machines (NTP): sessions and due times depend on them.',
    ),
  ]
}

async function portFinding(environment: Environment): Promise<CheckResult> {
  const about = 'port'
  try {
    const { port, host } = readSettings({ PORT: environment['PORT'], HOST: environment['HOST'] })
    await listenOnce(port, host)
    return ok(about, `${port} is free on ${host}`)
  } catch (error) {
    return problem(about, messageOf(error), 'Stop the process that listens there, or set another PORT or HOST.')
  }
}

const listenOnce = (port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
