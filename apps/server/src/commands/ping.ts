import type { PingResult } from '@godwit/admin-client'
import { command } from './command.js'
import { wholeNumberOption } from './numbers.js'

export const ping = command({
  summary: 'tells the devices of users to sync',
  parameters: 'LOGIN...',
  options: {
    source: { takes: 'SOURCE', many: true, says: 'source to sync; can be repeated' },
    message: { takes: 'TEXT', says: 'the text of the notification' },
    badge: { takes: 'BADGE', says: 'a number or text' },
    sound: { takes: 'NAME', says: 'the sound file to play' },
    'dry-run': { says: 'sends nothing: prints which devices would be reached, and what their push services refuse' },
    async: { says: 'let a background job send it; prints the id of the job' },
    vibrate: { takes: 'SECONDS', says: 'duration of the vibration' },
  },
  examples: ['godwit ping ada --source Visit', "godwit ping ada grace --message 'New visits' --badge 3"],
  async run({
    words,
    options: { source, message, badge, sound, vibrate, async: later, 'dry-run': isDryRun },
    admin,
    print,
  }) {
    const { users } = await admin()
    const fields = {
      ...(source && { sources: source }),
      ...(message !== undefined && { message }),
      ...(badge !== undefined && { badge: /^\d{1,9}$/.test(badge) ? Number(badge) : badge }),
      ...(sound !== undefined && { sound }),
      ...wholeNumberOption('--vibrate', vibrate, 'vibrate'),
      ...(isDryRun && { dry_run: true }),
    }
    if (later) print(await users.ping(words, { ...fields, async: true }), ({ job }) => `${job}\n`)
    else print(await users.ping(words, fields), pingText)
  },
})

const pingText = ({ sent, skipped, failed, deferred = 0 }: PingResult): string =>
  [
    `sent to ${devices(sent)}`,
    ...(deferred > 0 ? [`later to ${devices(deferred)}, as their push service asks`] : []),
    ...skipped.map(({ user, client, reason }) => `skipped ${user ?? client}: ${reason}`),
    ...failed.map(({ client, reason }) => `failed ${client}: ${reason}`),
    '',
  ].join('\n')

const devices = (count: number): string => `${count} ${count === 1 ? 'device' : 'devices'}`
