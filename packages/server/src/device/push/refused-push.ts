import { SyncError } from '@godwit/protocol'

/** The error for a push that names an epoch other than the collection's. */
export const epochChanged = (epoch: string): SyncError =>
  new SyncError('epoch_changed', "The server's data was reset since this device last synced. Pull first.", {
    details: { epoch },
  })

/** The error for a push that skips a mutation number. */
export const mutationGap = (expected: number): SyncError =>
  new SyncError(
    'mutation_gap',
    `expected mutation ${expected} next, got a later one. Take a new client id and send what is undecided again.`,
    {
      details: { expected },
    },
  )

/** The error for a push whose client id was used with another history. */
export const clientForked = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal has another history of this client. Take a new client id and send what is undecided again.',
  )
