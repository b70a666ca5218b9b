import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSyncServer, defineSource } from '@godwit/server'
import { openSqliteStore } from '@godwit/store-sqlite'
import { describe, expect, test } from '@jest/globals'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../charts', name), 'utf8')

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[]
  }[]
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly description?: string
    readonly targets?: readonly { readonly expr: string }[]
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  }[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

const rules = (parse(read('alerts.yml')) as Rules).groups.flatMap(group => group.rules)
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const expressions = [...rules.map(({ expr }) => expr), ...queries]

/** Metrics that exist only over Redis, with a feed, or once something has happened: jobs, stray errors. They are documented with their conditions. */
const CONDITIONAL = [
  'godwit_store_replicas',
  'godwit_jobs',
  'godwit_stray_errors_total',
  'godwit_feed_stale',
  'godwit_feed_lag_seconds',
  'godwit_feed_waiting_rows',
]

/** Returns the names of the time series of a server that has answered requests and run a query. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-charts-'))
  const store = await openSqliteStore(join(folder, 'store.sqlite'))
  await store.checkIntegrity()
  const sources = [defineSource({ name: 'Note', query: () => ({ a: { n: 1 } }) })]
  const users = [{ login: 'ada', password: 'ada' }]
  const server = createSyncServer({ store, sources, users, limits: { passwordCost: 16 } })
  try {
    const { body } = await server.fetch(new Request('http://sync.test/metrics'))
    const text = await new Response(body).text()
    return new Set(text.match(/^(?:# TYPE )?(?:godwit|process|nodejs)_\w+/gm)?.map(name => name.replace('# TYPE ', '')))
  } finally {
    await server.close()
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Returns the metrics of an expression, with the text where it does not parse. */
function namesIn(expression: string): { readonly names: readonly string[]; readonly errors: readonly string[] } {
  // Grafana replaces its variables before a query is sent.
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)/g, '.*')
  const names: string[] = []
  const errors: string[] = []
  parser.parse(text).iterate({
    enter({ type, name, from, to }) {
      if (type.isError) errors.push(`${text.slice(from)} in ${text}`)
      else if (name === 'Identifier' && text.slice(from, to).includes('_')) names.push(text.slice(from, to))
    },
  })
  return { names, errors }
}

const metricOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, '')

describe('charts and alerts', () => {
  test.each(expressions)('%s is a query in the language of Prometheus', expression => {
    const { names, errors } = namesIn(expression)
    expect(errors).toEqual([])
    expect(names).not.toEqual([])
  })

  test('name only metrics that a server has', async () => {
    const present = await metricNames()
    const named = new Set(expressions.flatMap(expression => namesIn(expression).names).map(metricOf))
    const absent = [...named].filter(name => name.startsWith('godwit_') && !present.has(name))
    expect(absent.sort()).toEqual([...CONDITIONAL].filter(name => !present.has(name)).sort())
    const documented = readFileSync(join(import.meta.dirname, '../../../docs/operating/monitor.md'), 'utf8')
    for (const name of named) expect(documented).toContain(name)
  })

  test('cover every metric that the page of metrics calls worth an alert', () => {
    const alerts = rules.map(({ expr }) => expr).join('\n')
    const page = readFileSync(join(import.meta.dirname, '../../../docs/operating/monitor.md'), 'utf8')
    const table = page.slice(page.indexOf('## Alerts'), page.indexOf('## Metrics'))
    const worthy = new Set(table.match(/godwit_\w+/g))
    for (const name of worthy) expect(alerts).toContain(name)
    expect(rules.every(({ annotations }) => 'summary' in annotations && 'description' in annotations)).toBe(true)
  })

  test('has a dashboard whose panels explain themselves and do not overlap', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets, description } of panels) if (targets) expect(description).toMatch(/\.$/)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})
