import type { PingResult } from '@godwit/admin-client'

/** Describes how many devices a ping reached, and why others were skipped. */
export function pingSummary({ sent, skipped, failed, deferred = 0 }: PingResult): string {
  const missed = skipped.length + failed.length
  const later = deferred > 0 ? `, to ${deferred} later` : ''
  const sentText = `Sent to ${sent} ${sent === 1 ? 'device' : 'devices'}${later}`
  const reason = skipped[0]?.reason ?? failed[0]?.reason ?? ''
  return missed === 0 ? `${sentText}.` : `${sentText}; ${missed} could not be reached (${reason.replaceAll('_', ' ')}).`
}
