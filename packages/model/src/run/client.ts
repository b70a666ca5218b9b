import { isSyncError, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { restartSource } from './restart-source.js'
import { endedBy, failureOf, SESSION_CODES } from './source-failure.js'
import type { SyncContext, SyncRun } from './sync-context.js'

/** How often one run starts over after the server has lost data. */
export const MAX_RECOVERIES = 3

/** Codes of errors that mean that the server no longer accepts the client. */
const CLIENT_CODES: ReadonlySet<string> = new Set([
  'client_not_found',
  'client_forked',
  'mutation_gap',
  'not_your_client',
  'client_missing',
])

/** Registers this device at the server if it has no client id yet. */
export async function ensureClient(context: SyncContext, token: string, signal: AbortSignal): Promise<void> {
  if (context.session.clientId !== null) return
  try {
    await newClient(context, { signal })
  } catch (cause) {
    const { code, message } = failureOf(cause)
    if (!SESSION_CODES.has(code) && code !== 'offline')
      context.events.emit({ kind: 'error', source: null, error: { code, message } })
    throw endedBy(context, token, cause)
  }
}

/** Makes a source start over if its numbers and token belong to another client id. */
export function claimClient(
  { database, session, events }: Pick<SyncContext, 'database' | 'session' | 'events'>,
  model: OpenModel,
): void {
  const { client } = model.state.get()
  const { clientId } = session
  if (client === clientId) return
  database.durable(() => restartSource(model, { client: clientId }))
  // A source without a client was never loaded.
  if (client !== null) events.emit({ kind: 'resync', source: model.name, reason: 'client' })
}

/** Whether the server no longer accepts the client. */
export const isClientVoid = (error: unknown): boolean => isSyncError(error) && CLIENT_CODES.has(error.code)

/** Replaces a client that the server lost, unless it was replaced meanwhile. */
export async function renewClient(
  context: SyncContext,
  client: string | null,
  run: Pick<SyncRun, 'signal'>,
): Promise<void> {
  const { session } = context
  // First, so that the device knows that the client is invalid even if it cannot get another one now.
  if (client === session.clientId) session.setClientId(null)
  if (session.clientId === null) await newClient(context, run)
}

/** Requests a client id. If sources do so at the same time, the first answer counts. */
export async function newClient(
  { transport, session }: SyncContext,
  { signal }: Pick<SyncRun, 'signal'>,
): Promise<void> {
  const before = session.clientId
  const { client } = await transport.createClient({ session: session.required(), signal })
  if (typeof client?.client_id !== 'string')
    throw new SyncError('internal', 'expected an id of the new client from the server, got none.')
  if (session.clientId === before) session.setClientId(client.client_id)
}
