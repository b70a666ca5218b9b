import { styleText } from 'node:util'
import { plainLine, table } from '@godwit/terminal'
import type { CommandHost } from '../command.js'

/** Formats rows as a table for the width of the output; '' without rows. */
export function formatTable<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  output: Pick<CommandHost, 'stdout'>['stdout'],
): string {
  if (rows.length === 0) return ''
  const title = (name: string): string => name.replaceAll('_', ' ')
  if (!output.isTTY) return table(rows, names, { title })
  const bold = (head: string): string => styleText('bold', head, { stream: output as NodeJS.WriteStream })
  return table(rows, names, { title, bold, width: output.columns ?? 80 })
}

/** Formats the members of an object, one per line. */
export function formatMembers(thing: object): string {
  const entries = Object.entries(thing)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${plainLine(value)}\n`).join('')
}

/** Formats values, one per line. */
export const lines = (values: readonly string[]): string => values.map(value => `${plainLine(value)}\n`).join('')
