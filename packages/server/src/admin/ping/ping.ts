import {
  type Ping,
  type PingFailed,
  type PingJob,
  type PingResult,
  type PushMessage,
  SyncError,
} from '@godwit/protocol'
import { jobId } from '../../backend/jobs/job-id.js'
import { ConcurrencyLimiter } from '../../base/concurrency-limiter.js'
import type { AdminEngine } from '../admin-engine.js'
import { devicesOf } from './devices-of.js'
import { sendLater } from './send-again.js'
import { sendMessage } from './send-message.js'

const CONCURRENCY = 16

/** Sends a ping: users → devices → message → streams or providers → result. */
export async function ping(
  engine: Parameters<typeof sendMessage>[0] & Pick<AdminEngine, 'sources' | 'jobs' | 'randomId'>,
  { user_id, clients, sources = [], dry_run: isDryRun = false, ...rest }: Ping,
): Promise<PingResult> {
  const message = messageOf(rest, checkSources(engine, listOf(sources)))
  const { devices, skipped: leftOut } = await devicesOf(
    engine,
    listOf(user_id),
    clients === undefined ? undefined : listOf(clients),
  )
  const turns = new ConcurrencyLimiter(CONCURRENCY)
  const skipped = [...leftOut]
  const failed: PingFailed[] = []
  let sent = 0
  let deferred = 0
  await Promise.all(
    devices.map(async device => {
      const { client } = device
      const outcome = await turns.run(() => sendMessage(engine, device, message, { isDryRun }))
      if ('sent' in outcome) sent++
      else if ('skipped' in outcome) skipped.push({ client, reason: outcome.skipped })
      else if ('failed' in outcome) failed.push({ client, reason: outcome.failed })
      else {
        deferred++
        if (!isDryRun) await sendLater(engine, outcome, { client, message: outcome.message, attempt: 1 })
      }
    }),
  )
  return { sent, skipped, failed, ...(deferred > 0 && { deferred }) }
}

const QUEUE = 'ping'

/** Checks the ping and enqueues it for workers. */
export async function enqueuePing(
  engine: Pick<AdminEngine, 'sources' | 'jobs' | 'randomId'>,
  { user_id, clients, sources, dry_run, ...rest }: Ping,
): Promise<PingJob> {
  checkSources(engine, listOf(sources ?? []))
  const job = { queue: QUEUE, id: engine.randomId(), kind: 'ping' }
  const to = {
    user_id,
    ...(clients !== undefined && { clients }),
    ...(sources !== undefined && { sources }),
    ...(dry_run !== undefined && { dry_run }),
  }
  await engine.jobs.enqueue({ ...job, data: { ...to, ...fieldsOf(rest) } })
  return { job: jobId(job) }
}

const listOf = (one: string | readonly string[]): readonly string[] => (typeof one === 'string' ? [one] : one)

function checkSources({ sources }: Pick<AdminEngine, 'sources'>, names: readonly string[]): readonly string[] {
  const unknown = names.find(name => !sources.find(name))
  if (unknown === undefined) return [...new Set(names)]
  const message = `There is no source ${JSON.stringify(unknown)}; no device was pinged.`
  throw new SyncError('value_not_allowed', message, { details: { errors: [{ path: '/sources', message }] } })
}

/** Returns the fields of a push message and no others, so that it contains no object data. */
const messageOf = (ping: PushMessageFields, do_sync: readonly string[]): PushMessage => ({ do_sync, ...fieldsOf(ping) })

type PushMessageFields = Omit<PushMessage, 'do_sync'>

const fieldsOf = ({ message, badge, sound, vibrate }: PushMessageFields): PushMessageFields => ({
  ...(message !== undefined && { message }),
  ...(badge !== undefined && { badge }),
  ...(sound !== undefined && { sound }),
  ...(vibrate !== undefined && { vibrate }),
})
