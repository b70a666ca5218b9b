import { type Command, UsageError } from './command.js'

export const login: Command = {
  usage: 'login LOGIN PASSWORD [--discard]',
  summary: 'log in; earlier changes on this device belong to the first user who logs in',
  async run({ sdk, words: [name, password], options, server, print }) {
    if (name === undefined || password === undefined)
      throw new UsageError(
        `login: expected a login and a password, got ${name === undefined ? 'neither' : 'no password'}.`,
      )
    await sdk.login(name, password, { discard: options.discard === true })
    print({ login: name, server }, () => `Logged in to ${server} as ${name}.\n`)
  },
}

export const logout: Command = {
  usage: 'logout',
  summary: 'log out; the data stays',
  async run({ sdk, print }) {
    await sdk.logout()
    print({}, () => 'Logged out. The data stays on this device.\n')
  },
}
