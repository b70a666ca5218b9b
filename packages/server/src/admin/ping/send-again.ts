import type { JsonValue, PushMessage } from '@godwit/protocol'
import type { AdminEngine } from '../admin-engine.js'
import { deviceOf } from './devices-of.js'
import { sendMessage } from './send-message.js'
import type { SendResult } from './send-push.js'

/** The data of a job that sends a deferred message. */
export interface AgainData {
  readonly client: string
  readonly message: PushMessage
  /** How often it was deferred, including the first time. */
  readonly attempt: number
}

/** How often a message is deferred before it is given up. */
const MOST_ATTEMPTS = 5

type AgainEngine = Parameters<typeof sendMessage>[0] & Pick<AdminEngine, 'jobs' | 'log' | 'randomId'>

/** Enqueues a message for the time that its provider named. */
export async function sendLater(
  { jobs, randomId }: Pick<AgainEngine, 'jobs' | 'randomId'>,
  { deferred }: Extract<SendResult, { readonly deferred: number }>,
  data: AgainData,
): Promise<void> {
  const job = { queue: 'ping', id: randomId(), kind: 'push', delay: deferred * 1000 }
  await jobs.enqueue({ ...job, data: data as unknown as JsonValue })
}

/** Sends a deferred message, unless the device was deleted; a device that listens by now receives it there. */
export async function sendAgain(engine: AgainEngine, { client, message, attempt }: AgainData): Promise<void> {
  const record = await engine.store.registry.get('client', client)
  if (!record?.owner) return
  const result = await sendMessage(engine, deviceOf(record, record.owner, true), message, { isAgain: true })
  if ('failed' in result) engine.log.info({ client, reason: result.failed }, 'a deferred push message was refused')
  if (!('deferred' in result)) return
  if (attempt >= MOST_ATTEMPTS) engine.log.warn({ client, attempt }, 'a push message was deferred too often')
  else await sendLater(engine, result, { client, message: result.message, attempt: attempt + 1 })
}
