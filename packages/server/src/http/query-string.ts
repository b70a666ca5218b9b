import { emptyRecord, SyncError } from '@godwit/protocol'

/** Returns the members of a query string as text; the last value of a repeated member. */
export function readQuery(search: string): Readonly<Record<string, string>> {
  const members = emptyRecord<string>()
  if (search === '') return members
  for (const pair of search.split('&')) {
    const at = pair.indexOf('=')
    const name = at < 0 ? pair : pair.slice(0, at)
    if (name !== '') members[decodeMember(name)] = at < 0 ? '' : decodeMember(pair.slice(at + 1))
  }
  return members
}

function decodeMember(text: string): string {
  return decodePart(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Decodes a part of a path. Throws `body_invalid`. */
export function decodePart(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SyncError(
      'body_invalid',
      `The address is not percent-encoded UTF-8: ${JSON.stringify(text.slice(0, 40))}.`,
    )
  }
}
