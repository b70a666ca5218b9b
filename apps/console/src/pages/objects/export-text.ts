import type { Attributes } from '@godwit/admin-client'

type ObjectEntry = readonly [id: string, attributes: Attributes]

/** `json`: one object map, in the format of `push_objects`. `ndjson`: one object with its id per line. */
export type ExportFormat = 'json' | 'ndjson'

/** The text of a file, in parts. */
export interface ExportText {
  part(entries: readonly ObjectEntry[]): string
  end(): string
}

export function textOf(format: ExportFormat): ExportText {
  if (format === 'ndjson') {
    const line = ([id, attributes]: ObjectEntry): string => `${JSON.stringify({ ...attributes, id })}\n`
    return { part: entries => entries.map(line).join(''), end: () => '' }
  }
  let before = '{\n'
  const member = ([id, attributes]: ObjectEntry): string => {
    const text = `${before}${JSON.stringify(id)}:${JSON.stringify(attributes)}`
    before = ',\n'
    return text
  }
  return { part: entries => entries.map(member).join(''), end: () => (before === '{\n' ? '{}\n' : '\n}\n') }
}
