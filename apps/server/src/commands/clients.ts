import { type CommandGroup, command } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { formatMembers, lines } from './view/columns.js'

const list = command({
  summary: 'lists the ids of clients (devices)',
  options: {
    user: { takes: 'LOGIN', says: 'only clients of this user' },
    after: { takes: 'ID', says: 'only clients after this one' },
    limit: { takes: 'N', says: 'maximum number to list; default 100' },
  },
  examples: ['godwit clients list --user ada'],
  async run({ options: { user, after, limit }, admin, print }) {
    const page = { ...(user !== undefined && { user }), ...(after !== undefined && { after }) }
    print(await (await admin()).clients.list({ ...page, ...wholeNumberOption('--limit', limit, 'limit') }), lines)
  },
})

const show = command({
  summary: 'shows a client: its device, last sync and position in each source',
  parameters: 'ID',
  examples: ['godwit clients show 4f1c…'],
  async run({ words: [client = ''], admin, print }) {
    print(await (await admin()).clients.get(client), formatMembers)
  },
})

const resync = command({
  summary: 'makes a client load sources from the start at its next pull',
  parameters: 'ID SOURCE...',
  details: 'For a damaged device. Its unsent changes are kept and sent.',
  examples: ['godwit clients resync 4f1c… Visit City'],
  async run({ words: [client = '', ...sources], admin, print }) {
    const { clients } = await admin()
    for (const source of sources) await clients.writeDocument(client, source, 'cd', {})
    print({ client, sources }, () => '')
  },
})

const remove = command({
  summary: 'deletes a client; its device gets a new id at its next sync',
  parameters: 'ID',
  examples: ['godwit clients delete 4f1c…'],
  async run({ words: [client = ''], admin, print }) {
    const { clients, users } = await admin()
    const { user } = await clients.get(client)
    await users.deleteClient(user, client)
    print({ deleted: [client], user }, () => '')
  },
})

export const clients: CommandGroup = {
  summary: 'clients: the devices of users',
  commands: { list, show, resync, delete: remove },
}
