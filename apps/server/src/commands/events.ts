import type { ServerEvent, WatchOptions } from '@godwit/admin-client'
import { plainLine } from '@godwit/terminal'
import { command } from './command.js'

export const events = command({
  summary: 'shows events of the server as they happen, until Ctrl-C',
  options: {
    kind: { takes: 'KIND', many: true, says: 'only events of this kind, such as query_failed; can be repeated' },
    source: { takes: 'SOURCE', says: 'only events of this source' },
    user: { takes: 'LOGIN', says: 'only events of this user' },
  },
  details: 'Prints one line for each event of every process of the server. It reconnects automatically.',
  examples: [
    'godwit events',
    'godwit events --kind query_failed --kind call_failed',
    'godwit events --user ada --json',
  ],
  async run({ options: { kind, source, user }, admin, signal, print }) {
    const filter: WatchOptions = {
      signal,
      ...(kind && { kinds: kind as NonNullable<WatchOptions['kinds']> }),
      ...(source !== undefined && { source }),
      ...(user !== undefined && { user }),
    }
    for await (const event of (await admin()).events(filter)) print(event, lineOf)
  },
})

/** `12:34:56 query_failed source=Visit partition=user:ada error=the backend is away` */
function lineOf({ kind, time, ...about }: ServerEvent): string {
  const facts = Object.entries(about).filter(([name]) => name !== 'id')
  const formatted = facts.map(([name, value]) => ` ${name}=${plainLine(messageIn(value))}`)
  return `${time.slice(11, 19)} ${kind}${formatted.join('')}\n`
}

const messageIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'message' in value ? value.message : value
