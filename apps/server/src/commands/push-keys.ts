import { writeFileSync } from 'node:fs'
import { command, UsageError } from './command.js'

export const pushKeys = command({
  summary: 'makes a VAPID key, with which a server sends push messages to browsers',
  local: true,
  options: {
    file: {
      takes: 'PATH',
      says: 'writes the private key to this new file, readable by you alone, and does not print it',
    },
  },
  details: [
    'Prints the variables for the server. The private key is a secret, and is made once: browsers subscribe with the public key that belongs to it,',
    'and a server with another key does not reach them.',
  ].join('\n'),
  examples: ['godwit push-keys', 'godwit push-keys --file vapid.key'],
  async run({ options: { file }, print }) {
    const { createVapidKeys } = await import('@godwit/push/web-push')
    const { publicKey, privateKey } = createVapidKeys()
    if (file !== undefined) writeKey(file, privateKey)
    const secret = file === undefined ? { private_key: privateKey } : { private_key_file: file }
    print({ public_key: publicKey, ...secret }, () =>
      [
        file === undefined ? `SYNC_PUSH_VAPID_KEY=${privateKey}` : `SYNC_PUSH_VAPID_KEY_FILE=${file}`,
        'SYNC_PUSH_VAPID_SUBJECT=mailto:you@example.org',
        `# Pages subscribe with ${publicKey}, which the server tells them.`,
        '',
      ].join('\n'),
    )
  },
})

/** Never replaces a file: the former key may be in use. */
function writeKey(path: string, key: string): void {
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new UsageError(
      `--file: expected the path of a new file, got ${path} (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}
