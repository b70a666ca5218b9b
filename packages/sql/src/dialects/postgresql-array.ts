import type { AttributeValue } from '@godwit/protocol'

/** Parses the text of an array, `{a,"b c",NULL,{…}}`; dimensions that do not begin at 1, `[0:1]={…}`, are dropped. */
export function parseArray(text: string, element: (text: string) => AttributeValue): AttributeValue {
  let at = text.indexOf('{')
  const list = (): AttributeValue[] => {
    const items: AttributeValue[] = []
    at++
    while (text[at] !== '}') {
      if (text[at] === ',') at++
      items.push(text[at] === '{' ? list() : text[at] === '"' ? element(quoted()) : plain())
    }
    at++
    return items
  }
  const quoted = (): string => {
    let read = ''
    for (at++; text[at] !== '"'; at++) {
      if (text[at] === '\\') at++
      read += text[at]
    }
    at++
    return read
  }
  const plain = (): AttributeValue => {
    const begin = at
    while (text[at] !== ',' && text[at] !== '}') at++
    const read = text.slice(begin, at)
    return read === 'NULL' ? null : element(read)
  }
  return list()
}

/** Writes an array as PostgreSQL reads it. */
export function arrayLiteral(
  values: readonly AttributeValue[],
  element: (value: AttributeValue) => string | null,
): string {
  const items = values.map(value => {
    if (Array.isArray(value)) return arrayLiteral(value, element)
    const text = element(value)
    return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`
  })
  return `{${items.join(',')}}`
}
