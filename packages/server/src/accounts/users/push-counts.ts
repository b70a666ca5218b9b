import type { PushCounts } from '@godwit/protocol'
import type { RecordValue } from '@godwit/store'

const MEMBERS = ['sent', 'refused', 'gone', 'opened'] as const satisfies readonly (keyof PushCounts)[]

/** Returns what was counted of the push messages to a client. */
export const pushCountsOf = (client: RecordValue): PushCounts => ({
  sent: countOf(client, 'sent'),
  refused: countOf(client, 'refused'),
  gone: countOf(client, 'gone'),
  opened: countOf(client, 'opened'),
})

/** Returns the change of a client's record that counts one more; a message that was sent waits to be opened. */
export const countPush = (client: RecordValue, member: (typeof MEMBERS)[number]): RecordValue => ({
  [`push_${member}`]: countOf(client, member) + 1,
  ...(member === 'sent' && { push_waits: true }),
})

/** Returns the change for a client that syncs: one more was opened if messages wait. */
export const countOpened = (client: RecordValue): RecordValue | undefined =>
  client['push_waits'] === true ? { push_waits: null, push_opened: countOf(client, 'opened') + 1 } : undefined

function countOf(client: RecordValue, member: (typeof MEMBERS)[number]): number {
  const value = client[`push_${member}`]
  return typeof value === 'number' ? value : 0
}
