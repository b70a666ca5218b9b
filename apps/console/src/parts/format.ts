const NUMBER = new Intl.NumberFormat('en')
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export const number = (value: number): string => NUMBER.format(value)

export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10))
  const scaled = value / 1024 ** power
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${UNITS[power]}`
}

/** A duration in seconds. */
export function seconds(value: number): string {
  if (value === 0) return '–'
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`
  if (value < 1) return `${value < 0.01 ? (value * 1000).toFixed(1) : Math.round(value * 1000)} ms`
  return value < 90 ? `${value.toFixed(1)} s` : span(value)
}

const TIME_UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** A long duration in seconds, by its largest unit. */
export function span(value: number): string {
  const [size, name] = TIME_UNITS.find(([size]) => value >= size) ?? TIME_UNITS[3]
  const count = Math.round(value / size)
  return `${number(count)} ${name}${count === 1 ? '' : 's'}`
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export const clock = (time: string): string => CLOCK.format(new Date(time))
const SHORT_TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
export const shortTime = (time: string): string => SHORT_TIME.format(new Date(time))
export const dateTime = (time: string): string => DAY.format(new Date(time))

/** Formats the time since, or until, a moment. */
export function ago(time: string, now = Date.now()): string {
  const past = (now - Date.parse(time)) / 1000
  if (Math.abs(past) < 5) return 'now'
  return past > 0 ? `${span(past)} ago` : `in ${span(-past)}`
}

/** `poll_interval`, in words. */
export function interval(value: number): string {
  if (value === -1) return 'on request'
  return value === 0 ? 'on every pull' : `every ${span(value).replace(/^1 /, '')}`
}
