/**
 * Whether a text matches a pattern in which `*` stands for any text, none included; everything else stands for itself.
 * The parts between the stars are sought from left to right and never again: nothing is tried twice, however hostile the pattern.
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
