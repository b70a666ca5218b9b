import { SyncError } from '@godwit/protocol'

/** The error of a message that a push service refused, with the reason that the service gave. */
export const refusedBy = (service: string, status: number, reason: string): SyncError =>
  new SyncError(
    'backend_failed',
    `${service} refused the message with ${status}${reason && `: ${reason.slice(0, 300)}`}`,
  )

/** The error of an option of a push provider. Never contains the value, which may be a secret. */
export const invalidOption = (name: string, expected: string, got: string): SyncError =>
  new SyncError('value_not_allowed', `${name}: expected ${expected}, got ${got}.`)
