/** A row of a CSV text and the line that it begins on. */
export interface CsvRow {
  readonly number: number
  readonly fields: readonly string[]
}

/** A field, quoted or not, and what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** The rows of a CSV text (RFC 4180); empty lines are left out. What stands behind a closing quote, or a quote within a bare field, ends the text as one last field. */
export function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = []
  let fields: string[] = []
  let line = 1
  let begin = 1
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < text.length) {
    const at = FIELD.lastIndex
    const match = FIELD.exec(text)
    const [all, quoted, bare = '', end] = match ?? [text.slice(at), undefined, text.slice(at), '']
    fields.push(quoted?.replaceAll('""', '"') ?? bare)
    line += all.split('\n').length - 1
    if (!match) FIELD.lastIndex = text.length
    if (end === ',' && FIELD.lastIndex < text.length) continue
    if (end === ',') fields.push('')
    if (fields.length > 1 || fields[0] !== '') rows.push({ number: begin, fields })
    fields = []
    begin = line
  }
  return rows
}
