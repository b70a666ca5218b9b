const [QUOTE, BACKSLASH, OPENS, CLOSES, CASE] = [0x22, 0x5c, 0x7b, 0x7d, 0x20]

/** True if the lists and objects of a JSON text are nested deeper than `most`. Costs about a quarter of parsing. */
export function isDeeper(text: string, most: number): boolean {
  // Each level takes at least two characters.
  if (text.length <= 2 * most) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) index = endOfString(text, index)
    // In ASCII a bracket differs from a brace by the bit that separates upper from lower case.
    else if ((unit | CASE) === OPENS && ++depth > most) return true
    else if ((unit | CASE) === CLOSES) depth--
  }
  return false
}

/** Returns the index of the closing quote of the string that starts here, or the length of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}
