import { statSync } from 'node:fs'
import type { AdminClient } from '@godwit/admin-client'
import { command } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { type FileKind, IDS, itemsOf, OBJECTS } from './objects-file.js'
import { counted } from './view/counted.js'

export const push = command({
  summary: 'pushes objects from a file to a source; devices get them at their next sync',
  parameters: 'SOURCE [USER] FILE',
  options: {
    delete: { says: 'the file contains ids of objects to remove' },
    batch: { takes: 'N', says: 'maximum number of objects per request; default 1000' },
  },
  details: [
    'FILE, or - for standard input, contains one JSON object {id: {attributes}}, or one object per line: {"id": "7", "name":',
    '"Lamp"} or ["7", {"name": "Lamp"}]. Existing objects are merged, and null removes an attribute.',
    'USER is the login that owns the partition; an app source has one partition for all and needs none. A file is checked before anything',
    'is sent; standard input is sent as it arrives, and pushing the same objects again has no further effect.',
  ].join('\n'),
  examples: [
    'godwit push City cities.ndjson',
    'godwit push Visit ada visits.json',
    'curl https://erp.example/products.json | godwit push Product -',
    "jq -c '.[]' products.json | godwit push Product -",
    'godwit push City --delete gone.ndjson',
  ],
  async run({ words, options, host, admin, print, printStatus }) {
    const [source = '', file = '', user = '*'] = words.length === 3 ? [words[0], words[2], words[1]] : words
    const batch = wholeNumberOption('--batch', options.batch, 'count')
    const onProgress = (sent: number): void => printStatus(`\r${sent} sent`)
    const read = <Item>(kind: FileKind<Item>): Promise<AsyncIterable<Item>> =>
      checkItems(() => itemsOf(file, kind, host), file)
    const send = async ({ push: to }: AdminClient) =>
      options.delete
        ? to.deletes(source, user, await read(IDS), { batch, onProgress })
        : to.objects(source, user, await read(OBJECTS), { batch, onProgress })
    const written = await send(await admin())
    printStatus('\r')
    print(
      written,
      ({ changed, count, version }) =>
        `${changed} changed; ${source} has ${counted(count, 'object')} at version ${version}\n`,
    )
  },
})

/** Reads a regular file twice, so that an error on its last line is found before anything is sent. */
async function checkItems<Item>(read: () => AsyncIterable<Item>, file: string): Promise<AsyncIterable<Item>> {
  if (file === '-' || !statSync(file, { throwIfNoEntry: false })?.isFile()) return read()
  for await (const _ of read());
  return read()
}
