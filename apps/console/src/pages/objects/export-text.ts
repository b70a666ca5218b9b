import type { Attributes } from '@godwit/admin-client'

type ObjectEntry = readonly [id: string, attributes: Attributes]

/** `json`: one object map, as `push_objects` takes it. `ndjson`: each object in its own line, with its id. */
export type ExportFormat = 'json' | 'ndjson'

/** The text of a file, part by part. */
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
