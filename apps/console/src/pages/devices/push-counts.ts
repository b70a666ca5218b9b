import type { PushCounts } from '@godwit/protocol'

/** Describes what became of the push messages to a device. Leaves out what did not happen. */
export function pushCounts({ sent, refused, gone, opened }: PushCounts): string {
  const parts = [
    `${sent} sent`,
    sent > 0 && `${opened} opened by a sync`,
    refused > 0 && `${refused} refused`,
    gone > 0 && `address gone ${gone === 1 ? 'once' : `${gone} times`}`,
  ]
  return parts.filter(part => part !== false).join(', ')
}
