import { queryText } from './query-text.js'
import type { TracedEvent } from './report.js'

const UNITS = ['B', 'KB', 'MB', 'GB']

/** `1.2 MB` */
export function bytes(count: number): string {
  const unit = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3))
  const value = count / 1_000 ** unit
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

export const whole = (count: number): string => count.toLocaleString('en')

/** `0.4 ms` */
export const took = (milliseconds: number): string =>
  `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(1)} ms`

/** Attributes as readable text: JSON without its punctuation. */
export const plain = (text: string): string =>
  text.startsWith('{')
    ? text
        .slice(1, -1)
        .replaceAll(/[{}"[\]]/g, '')
        .replaceAll(',', ', ')
        .replaceAll(':', ' ')
    : text

/** An event as a line: subject, amount, duration. */
export interface EventLine {
  readonly about: string
  readonly much: string
  readonly long: string
  readonly isBad: boolean
}

type Writer = (event: TracedEvent) => Partial<EventLine>

const WRITERS: { readonly [kind: string]: Writer } = {
  request: ({ method, path, status, sent, received }) => ({
    about: `${method} ${path}`,
    much: `${status ?? 'no response'} · ${bytes(Number(sent))} up · ${bytes(Number(received))} down`,
    isBad: typeof status !== 'number' || status >= 400,
  }),
  transaction: ({ rows }) => {
    const counts = Object.entries(rows as { readonly [model: string]: number })
    return {
      about: counts.map(([model]) => model).join(', '),
      much: counts.map(([, count]) => `${whole(count)} written`).join(', '),
    }
  },
  query: ({ model, text, rows }) => ({
    about: `${model}: ${queryText(String(text))}`,
    much: `${whole(Number(rows))} ${rows === 1 ? 'row' : 'rows'}`,
  }),
  error: ({ source, error }) => ({
    about: `${source ?? 'the device'}: ${(error as { readonly message?: unknown } | undefined)?.message}`,
    isBad: true,
  }),
  refused: event => ({ ...facts(event), isBad: true }),
  overwritten: event => ({ ...facts(event), isBad: true }),
}

function facts({ kind: _, milliseconds: __, ...rest }: TracedEvent): Partial<EventLine> {
  const printable = Object.entries(rest).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return {
    about: printable.map(([name, value]) => `${name} ${typeof value === 'number' ? whole(value) : value}`).join(' · '),
  }
}

export function lineOf(event: TracedEvent): EventLine {
  const { milliseconds } = event
  const write = Object.hasOwn(WRITERS, event.kind) ? (WRITERS[event.kind] as Writer) : facts
  return {
    ...{ about: '', much: '', isBad: false },
    long: typeof milliseconds === 'number' ? took(milliseconds) : '',
    ...write(event),
  }
}
