import type { UserRole } from '@godwit/protocol'
import { askNewPassword } from './ask.js'
import { assignments } from './assignments.js'
import { type CommandGroup, command, UsageError } from './command.js'
import { oneOf } from './one-of.js'
import { usersOf } from './users-file.js'
import { formatMembers, lines } from './view/columns.js'

const ROLES: readonly UserRole[] = ['device', 'reader', 'plugin', 'operator', 'admin']

const role = { takes: 'ROLE', says: `one of ${ROLES.join(', ')}; default device` } as const
const attribute = {
  takes: 'NAME=VALUE',
  many: true,
  says: 'a custom attribute; VALUE is JSON or text, and null removes it',
} as const
const fromInput = { says: 'the password is the first line of standard input' } as const

const list = command({
  summary: 'lists the logins of a role',
  options: { role },
  examples: ['godwit users list', 'godwit users list --role plugin'],
  async run({ options, admin, print }) {
    print(await (await admin()).users.list(oneOf('role', options.role, ROLES)), lines)
  },
})

const show = command({
  summary: 'shows a user: role, attributes, devices',
  parameters: 'LOGIN',
  examples: ['godwit users show ada', 'godwit users show ada --json'],
  async run({ words: [login = ''], admin, print }) {
    print(await (await admin()).users.get(login), formatMembers)
  },
})

const create = command({
  summary: 'creates a device user, or with --role an API user',
  parameters: 'LOGIN',
  options: {
    role,
    attribute,
    'password-stdin': fromInput,
    'no-password': {
      says: 'none: for servers where a configured `authenticate` or a plugin backend decides on logins',
    },
  },
  details:
    'The password is prompted for or read from standard input. It is never a parameter, which others on the machine could see.',
  examples: [
    'godwit users create ada --attribute team=north',
    'pwgen 20 1 | godwit users create robot --role plugin --password-stdin',
  ],
  async run({ words: [login = ''], options, host, admin, print }) {
    const given = { ...assignments('--attribute', options.attribute), login }
    const known = oneOf('role', options.role, ROLES)
    const { users } = await admin()
    const password = options['no-password']
      ? {}
      : { password: await askNewPassword(host, { fromInput: options['password-stdin'] === true }) }
    print(await users.create({ ...given, ...password }, known), created => `${created.login}\n`)
  },
})

const importFile = command({
  summary: 'creates users from a file, except those that already exist',
  parameters: 'FILE',
  details: [
    'FILE is CSV whose first line names the columns, or has one JSON object on each line; - is standard input. login is the only',
    'member that has to be there. password or password_hash (scrypt$N$r$p$salt$key or $scrypt$ln=…,r=…,p=…$salt$key) and role mean',
    'what they say, all others are free attributes. Users that exist are left alone, so that it may be done again. A thousand users',
    'with hashes take seconds, with passwords the server hashes about four a second on each of two cores.',
  ].join('\n'),
  examples: ['godwit users import people.csv', 'godwit users import people.ndjson'],
  async run({ words: [path = ''], host, admin, print, printStatus }) {
    const all = await usersOf(path, host)
    const { users } = await admin()
    const answer = await users.createMany(all, { onProgress: sent => printStatus(`\r${sent} of ${all.length}`) })
    printStatus('\r')
    print(answer, ({ created, existing }) => `${created.length} created; ${existing.length} already existed\n`)
  },
})

const set = command({
  summary: 'changes the role or custom attributes of a user',
  parameters: 'LOGIN',
  options: { role, attribute },
  examples: [
    'godwit users set ada --attribute team=south --attribute floor=3',
    'godwit users set robot --role operator',
  ],
  async run({ words: [login = ''], options, admin, print }) {
    if (options.role === undefined && options.attribute === undefined)
      throw new UsageError('godwit users set: expected --role or --attribute, got neither.')
    const attributes = options.attribute && { attributes: assignments('--attribute', options.attribute) }
    const { users } = await admin()
    await users.update(login, { ...attributes, ...oneOf('role', options.role, ROLES) })
    print(await users.get(login), formatMembers)
  },
})

const password = command({
  summary: 'sets the password of a user, and ends all sessions and tokens',
  parameters: 'LOGIN',
  options: { 'password-stdin': fromInput },
  examples: ['godwit users password ada'],
  async run({ words: [login = ''], options, host, admin, print }) {
    const { users } = await admin()
    await users.update(login, {
      attributes: { password: await askNewPassword(host, { fromInput: options['password-stdin'] === true }) },
    })
    print({ login }, () => '')
  },
})

const remove = command({
  summary: 'deletes users with their devices and the data that only they have',
  parameters: 'LOGIN...',
  examples: ['godwit users delete ada'],
  async run({ words, admin, print }) {
    const { users } = await admin()
    for (const login of words) await users.delete(login)
    print({ deleted: words }, () => '')
  },
})

const locking = (locked: boolean, summary: string) => {
  const name = locked ? 'lock' : 'unlock'
  return command({
    summary,
    parameters: 'LOGIN...',
    examples: [`godwit users ${name} ada`],
    async run({ words, admin, print }) {
      const { users } = await admin()
      for (const login of words) await users.update(login, { locked })
      print({ [`${name}ed`]: words }, () => '')
    },
  })
}

const lock = locking(true, 'locks users out, and ends all their sessions and tokens')
const unlock = locking(false, 'lets locked users log in again')

export const users: CommandGroup = {
  summary: 'device users and API users',
  commands: { list, show, create, import: importFile, set, password, lock, unlock, delete: remove },
}
