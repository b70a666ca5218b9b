// The servers under load: a source that all devices share, one of each user's own that devices write to,
// logins without passwords (hashing them is no part of a sync), and a probe that answers the load program.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineSource } from '@godwit/server'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const probe = {
  cpu: () => process.cpuUsage(),
  memory: () => {
    collect()
    return process.memoryUsage()
  },
}

process.on('message', question => process.send(probe[question]()))
process.channel?.unref()

export default {
  limits: { eventHeartbeat: Number(process.env.LOAD_HEARTBEAT) },
  authenticate: async () => true,
  sources: [
    defineSource({ name: 'Shared', partition: 'app', pollInterval: -1 }),
    defineSource({
      name: 'Own',
      partition: 'user',
      pollInterval: -1,
      idempotent: true,
      create: (_attributes, { idempotencyKey }) => ({ id: idempotencyKey }),
    }),
  ],
}
