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
    async: { says: 'let a background job send it; prints the id of the job' },
    vibrate: { takes: 'SECONDS', says: 'duration of the vibration' },
  },
  examples: ['godwit ping ada --source Visit', "godwit ping ada grace --message 'New visits' --badge 3"],
  async run({ words, options: { source, message, badge, sound, vibrate, async: later }, admin, print }) {
    const { users } = await admin()
    const fields = {
      ...(source && { sources: source }),
      ...(message !== undefined && { message }),
      ...(badge !== undefined && { badge: /^\d{1,9}$/.test(badge) ? Number(badge) : badge }),
      ...(sound !== undefined && { sound }),
      ...wholeNumberOption('--vibrate', vibrate, 'vibrate'),
    }
    if (later) print(await users.ping(words, { ...fields, async: true }), ({ job }) => `${job}\n`)
    else print(await users.ping(words, fields), pingText)
  },
})

const pingText = ({ sent, skipped, failed }: PingResult): string =>
  [
    `sent to ${sent} ${sent === 1 ? 'device' : 'devices'}`,
    ...skipped.map(({ user, client, reason }) => `skipped ${user ?? client}: ${reason}`),
    ...failed.map(({ client, reason }) => `failed ${client}: ${reason}`),
    '',
  ].join('\n')
