import { SyncError } from '@godwit/protocol'

export const epochChanged = (epoch: string): SyncError =>
  new SyncError('epoch_changed', 'The collection was made again since the epoch that the push names. Pull first.', {
    details: { epoch },
  })

export const mutationGap = (expected: number): SyncError =>
  new SyncError(
    'mutation_gap',
    `expected mutation ${expected} next, got a later one. Take a new client id and send what is undecided again.`,
    {
      details: { expected },
    },
  )

export const clientForked = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal knows another history of this client. Take a new client id and send what is undecided again.',
  )
