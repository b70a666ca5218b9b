import type { UserCreate } from '@godwit/admin-client'

/** Reads users from CSV text, whose first line names the columns. Throws with a message for the author of the file. */
export function usersOfCsv(text: string): readonly UserCreate[] {
  const [head = [], ...rows] = rowsOf(text)
  const names = head.map(name => name.trim())
  if (!names.includes('login'))
    throw new Error(`expected a first line that names the columns, login among them, got: ${names.join(', ')}`)
  return rows.map((row, place) => {
    if (row.length !== names.length)
      throw new Error(`Line ${place + 2}: expected ${names.length} values, got ${row.length}.`)
    const values = row.map((value, column) => [names[column] ?? '', value] as const)
    return { attributes: Object.fromEntries(values.filter(([, value]) => value !== '')) }
  })
}

/** Parses CSV rows. Quoted values may contain commas, line breaks and doubled quotes. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let isQuoted = false
  const end = (): void => {
    row.push(value)
    value = ''
  }
  const endRow = (): void => {
    end()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  // The second of two adjacent quotes is a literal quote.
  let wasQuote = false
  for (const one of text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')) {
    if (one === '"') {
      if (!isQuoted && wasQuote) value += '"'
      isQuoted = !isQuoted
    } else if (one === ',' && !isQuoted) end()
    else if (one === '\n' && !isQuoted) endRow()
    else value += one
    wasQuote = one === '"' && !isQuoted
  }
  endRow()
  return rows
}
