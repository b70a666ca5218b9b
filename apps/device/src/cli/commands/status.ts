import { table } from '@godwit/terminal'
import { tableStyle } from '../terminal.js'
import type { Command } from './command.js'

export const status: Command = {
  usage: 'status',
  summary: 'who is logged in, what is here, when it last synced',
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
        `Login   ${value.login ?? 'nobody'}\n\n`,
        table(value.models, ['model', 'objects', 'unsent', 'refused', 'synced'], tableStyle(terminal)),
      ].join(''),
    )
  },
}

export const changes: Command = {
  usage: 'changes',
  summary: 'what was changed here and is not decided by the server yet',
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
  summary: 'what the server did not take, and why',
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
