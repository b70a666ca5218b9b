import type { Command } from './command.js'
import { find } from './find.js'
import { login, logout } from './login.js'
import { changes, refused, status } from './status.js'
import { sync } from './sync.js'
import { visit } from './visit.js'

/** Every command, in the order of the help. */
export const commands: { readonly [name: string]: Command } = {
  login,
  logout,
  sync,
  find,
  visit,
  status,
  changes,
  refused,
}
