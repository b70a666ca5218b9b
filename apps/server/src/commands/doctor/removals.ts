import type { Environment } from '../../environment.js'
import { type CheckResult, warning } from './check-result.js'
import { settingsOf } from './environment.js'

const TIMEOUT = 5_000

const COUNTS = /^godwit_removals_pending\{source="((?:[^"\\]|\\.)*)"\} (\d+)$/gm
const TIMES = /^godwit_removals_pending_since_seconds\{source="((?:[^"\\]|\\.)*)"\} ([\d.e+]+)$/gm

/** Reports removals of queries that are held back, by the metrics of the server. Returns no result if these cannot be read. */
export async function checkRemovals(
  url: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const settings = settingsOf(environment)
  const token = settings instanceof Error ? undefined : settings.metricsToken
  const metrics = await readMetrics(url, token, signal)
  const since = new Map(valuesOf(metrics, TIMES))
  return valuesOf(metrics, COUNTS).map(([source, count]) => {
    const time = new Date((since.get(source) ?? 0) * 1000).toISOString()
    const says = `${count} ${count === 1 ? 'removal' : 'removals'} held back since ${time}: a query would remove too many objects`
    return warning(
      source,
      says,
      'List them with godwit sources accept. Accept them if the query is correct, otherwise fix it.',
    )
  })
}

async function readMetrics(url: string, token: string | undefined, signal: AbortSignal): Promise<string> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/metrics`, {
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    return response.ok ? await response.text() : ''
  } catch {
    return ''
  }
}

const valuesOf = (metrics: string, pattern: RegExp): readonly (readonly [source: string, value: number])[] =>
  [...metrics.matchAll(pattern)].map(([, source = '', value]) => [source, Number(value)])
