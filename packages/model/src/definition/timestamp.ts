const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Converts ISO 8601 text to 24 characters in UTC. Text without a zone is read as UTC, and digits below a millisecond are dropped. Undefined for
 * invalid text and years outside 0 to 9999.
 */
export function utcText(text: string): string | undefined {
  // Most texts already have this form.
  if (text.length === 24 && text.endsWith('Z') && isSame(text)) return text
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    ISO.exec(text) ?? []
  if (year === undefined) return undefined
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (!isSame(local)) return undefined
  const moment = new Date(Date.parse(local) - offsetOf(zone))
  const iso = Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
  return iso.length === 24 ? iso : undefined
}

/** Returns true if the text is a valid time, unlike 30 February. */
function isSame(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** Returns the offset of a zone in milliseconds. */
function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return Number.NaN
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
