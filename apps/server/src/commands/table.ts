import { admin } from './admin.js'
import { audit } from './audit.js'
import { backend } from './backend.js'
import { backup } from './backup.js'
import { begin } from './begin.js'
import { clients } from './clients.js'
import type { Command, CommandGroup } from './command.js'
import { dev } from './dev.js'
import { doctor } from './doctor.js'
import { events } from './events.js'
import { explain } from './explain.js'
import { feeds } from './feeds.js'
import { jobs } from './jobs.js'
import { license } from './license.js'
import { login, logout } from './login.js'
import { mutations } from './mutations.js'
import { ping } from './ping.js'
import { push } from './push.js'
import { pushKeys } from './push-keys.js'
import { reset } from './reset.js'
import { restore } from './restore.js'
import { sources } from './sources.js'
import { sql } from './sql.js'
import { start } from './start.js'
import { stats } from './stats.js'
import { token } from './token.js'
import { users } from './users.js'
import { worker } from './worker.js'

/** All commands. A new one needs a file and a line here. */
export const commands: { readonly [name: string]: Command | CommandGroup } = {
  start,
  dev,
  worker,
  doctor,
  backup,
  restore,
  begin,
  admin,
  login,
  logout,
  token,
  users,
  clients,
  sources,
  backend,
  sql,
  push,
  ping,
  'push-keys': pushKeys,
  explain,
  mutations,
  events,
  feeds,
  jobs,
  stats,
  audit,
  license,
  reset,
}
