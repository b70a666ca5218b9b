import type { Explanation } from '@godwit/admin-client'
import { plainLine } from '@godwit/terminal'
import { command, UsageError } from './command.js'

/** What a verdict means, in words. */
const VERDICTS: { readonly [Verdict in Explanation['on_device']]: string } = {
  yes: 'yes',
  delivered: 'delivered (to be confirmed by its next request)',
  next_pull: 'with the next pull',
  next_file: 'with the next file of bulk data',
  no: 'no',
  until_next_pull: 'until the next pull',
}

/** Findings of a question about something that does not exist. */
const UNANSWERABLE = new Set([
  'user_unknown',
  'user_missing',
  'source_unknown',
  'client_unknown',
  'client_of_another_user',
  'text_not_found',
])

export const explain = command({
  summary: 'explains why an object is or is not on a device',
  parameters: 'SOURCE [OBJECT]',
  options: {
    user: { takes: 'LOGIN', says: 'user of the device; default *, the shared partition of an app source' },
    client: { takes: 'ID', says: 'this client of the user; default: any' },
    contains: { takes: 'TEXT', says: 'instead of an id: the first object with this text in an attribute' },
  },
  details: 'The exit code is 1 if the user, source, client or text does not exist.',
  examples: [
    'godwit explain City 456172',
    'godwit explain Visit 7 --user ada --client 4f1c…',
    'godwit explain Visit --user ada --contains ladder',
  ],
  async run({ words: [source = '', object], options: { user = '*', client, contains }, admin, print }) {
    if ((object === undefined) === (contains === undefined))
      throw new UsageError(
        `godwit explain: expected an id or --contains TEXT, got ${object === undefined ? 'neither' : 'both'}.`,
      )
    const { operations } = await admin()
    const explanation = await operations.explain({
      ...{ source, user },
      ...(object !== undefined && { object }),
      ...(contains !== undefined && { contains }),
      ...(client !== undefined && { client }),
    })
    print(explanation, ({ on_device, findings }) =>
      [`On the device: ${VERDICTS[on_device]}`, ...findings.map(({ message }) => `- ${plainLine(message)}`), ''].join(
        '\n',
      ),
    )
    return explanation.findings.some(({ code }) => UNANSWERABLE.has(code)) ? 1 : 0
  },
})
