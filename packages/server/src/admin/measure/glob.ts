/**
 * True if the text matches the pattern, in which `*` matches any text, also none. The parts between stars are searched from left to right without
 * backtracking, so that a hostile pattern stays linear.
 */
export function matches(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
