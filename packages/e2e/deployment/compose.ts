import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { inRepository } from '../harness/process.js'

export interface Service {
  readonly profiles: readonly string[]
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: { readonly [name: string]: string }
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  /** Like `20s`. */
  readonly stop_grace_period?: string
  readonly cap_drop?: readonly string[]
  readonly ports?: readonly string[]
}

/** The services of the compose file, with the variables that an operator gives put in. Throws where one is missing that must be there. */
export function readServices(given: { readonly [name: string]: string }): { readonly [name: string]: Service } {
  const text = readFileSync(inRepository('apps/server/compose.yaml'), 'utf8')
  const { services } = parse(text, { merge: true }) as { services: { [name: string]: Service } }
  const filled = JSON.parse(JSON.stringify(services), (_name, value) =>
    typeof value === 'string' ? fill(value, given) : value,
  )
  return filled as { [name: string]: Service }
}

/** `${NAME:-otherwise}`, `${NAME:?why}`, and `$$` for a dollar. */
function fill(text: string, given: { readonly [name: string]: string }): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g, (whole, name: string, kind: string, rest: string) => {
    if (whole === '$$') return '$'
    const value = given[name] || undefined
    if (value === undefined && kind === '?') throw new Error(`${name}: ${rest}`)
    return value ?? (kind === '-' ? rest : '')
  })
}
