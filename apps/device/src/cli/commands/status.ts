import { table } from '@godwit/terminal'
import { tableStyle } from '../terminal.js'
import { type Command, UsageError } from './command.js'

export const status: Command = {
  usage: 'status',
  summary: 'show the user, the data on this device and its last sync',
  run({ sdk, server, terminal, print }) {
    const changes = sdk.changes()
    const models = (['City', 'Visit'] as const).map(name => ({
      model: name,
      objects: sdk.models[name].count(),
      unsent: changes.filter(change => change.model === name).length,
      refused: sdk.refused(name).length,
      synced: sdk.refreshTime(name),
    }))
    print({ server, login: sdk.userName, client: sdk.clientId(), models }, value =>
      [
        `Server  ${value.server}\n`,
        `Login   ${value.login ?? 'none'}\n\n`,
        table(value.models, ['model', 'objects', 'unsent', 'refused', 'synced'], tableStyle(terminal)),
      ].join(''),
    )
  },
}

export const changes: Command = {
  usage: 'changes',
  summary: 'list changes that the server has not decided yet',
  run({ sdk, terminal, print }) {
    print(sdk.changes(), rows =>
      rows.length === 0
        ? 'Nothing is waiting.\n'
        : table(
            rows.map(row => ({ ...row, attributes: JSON.stringify(row.attributes) })),
            ['model', 'operation', 'object', 'state', 'attributes'],
            tableStyle(terminal),
          ),
    )
  },
}

export const refused: Command = {
  usage: 'refused',
  summary: 'list refused changes and the reasons',
  run({ sdk, terminal, print }) {
    print(sdk.refused(), rows =>
      rows.length === 0
        ? 'Nothing was refused.\n'
        : table(
            rows.map(row => ({ ...row, reason: row.error.message })),
            ['model', 'operation', 'object', 'status', 'reason'],
            tableStyle(terminal),
          ),
    )
  },
}

const OVERWRITTEN_ACTIONS = ['restore', 'dismiss'] as const

export const overwritten: Command = {
  usage: 'overwritten [restore ID | dismiss ID]',
  summary: 'list values of others that your changes replaced; restore or dismiss them',
  run({ sdk, terminal, words, print }) {
    const [given, id] = words
    const listed = sdk.overwritten()
    if (given === undefined) {
      print(listed, rows =>
        rows.length === 0
          ? 'Nothing was overwritten.\n'
          : table(
              rows.map(row => ({ ...row, overwrote: JSON.stringify(row.overwrote) })),
              ['id', 'model', 'operation', 'object', 'overwrote'],
              tableStyle(terminal),
            ),
      )
      return
    }
    const action = OVERWRITTEN_ACTIONS.find(name => name === given)
    const meant = listed.find(one => `${one.id}` === id)
    if (!action || !meant)
      throw new UsageError(`expected restore or dismiss and an id of: overwritten, got "${words.join(' ')}"`)
    meant[action]()
    print({ id: meant.id }, () => (action === 'restore' ? `Wrote ${id} again.\n` : `Dismissed ${id}.\n`))
  },
}
