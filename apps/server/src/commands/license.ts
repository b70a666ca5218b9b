import { command } from './command.js'
import { formatMembers } from './view/columns.js'

export const license = command({
  summary: 'shows the license in use, the version and the number of devices',
  examples: ['godwit license', 'godwit license --json'],
  async run({ admin, print }) {
    print(await (await admin()).system.license(), ({ seats, ...rest }) =>
      formatMembers({ ...rest, seats: seats ?? 'unlimited' }),
    )
  },
})
