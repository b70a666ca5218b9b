/** A row of a CSV text with the number of its first line. */
export interface CsvRow {
  readonly number: number
  readonly fields: readonly string[]
}

/** A field, quoted or not, and its terminator. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** Parses CSV text (RFC 4180), without empty lines. Malformed quoting ends the text with one last field. */
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
