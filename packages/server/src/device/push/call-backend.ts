import type { Attributes, Mutation, ObjectId, SourceError } from '@godwit/protocol'
import { isGone, isRefusal, type Source, type WriteContext } from '@godwit/source'
import type { Write } from '@godwit/store'
import { callSource, type SourceCall } from '../../backend/sources/call-source.js'
import { publicError } from '../../backend/sources/public-error.js'
import { withLogin } from '../../backend/sources/with-login.js'
import { neededBlobs, storeBlobs } from '../blobs/store-blobs.js'
import type { DeviceEngine } from '../device-engine.js'
import { checkAttributes, checkCreated } from './check-written.js'
import type { SourceTask } from './find-conflict.js'

/** The backend's answer to a mutation. `unknown`: it gave no answer and may have made the change. */
export type BackendVerdict =
  | { readonly result: 'done'; readonly write?: Write; readonly link?: ObjectId }
  | { readonly result: 'refused'; readonly error: SourceError }
  | { readonly result: 'unknown'; readonly error: SourceError }

/** The answers to one call: before its time-out, and eventually. */
export interface MutationCall {
  readonly beforeTimeout: Promise<BackendVerdict>
  /** The answer whenever it arrives, also after the time-out. */
  readonly eventual: Promise<BackendVerdict>
}

/** Calls the source for one mutation, with the mutation's key as idempotency key. Never rejects. */
export function callBackend(
  engine: DeviceEngine,
  source: Source,
  { user, partition }: { user: string; partition: string },
  mutation: Mutation,
  task: SourceTask,
): MutationCall {
  const call: SourceCall<BackendVerdict> = callSource(
    engine,
    { source, user, partition, timeout: source.timeout },
    async (context, holdSignal) => {
      if (source.methods[task.operation] === undefined) return unsupportedVerdict(source, task)
      const writeContext: WriteContext = Object.assign(context, { idempotencyKey: mutation.key })
      const write = async (): Promise<BackendVerdict> => {
        const given = await sendBlobs(engine, source, { partition, mutation, task }, writeContext)
        return 'result' in given ? given : runTask(source, writeContext, mutation.object, given)
      }
      return withLogin({ source, context, holdSignal }, write, error => loginVerdict(engine, source, error))
    },
  )
  // Both promises may reject with the same error, which is logged once.
  const verdict = sameVerdictPerError((error: unknown) => verdictOfError(engine, source, error))
  return { beforeTimeout: call.beforeTimeout.catch(verdict), eventual: call.eventual.catch(verdict) }
}

/** A failed backend login is a refusal whatever was thrown, since the backend was not called for the mutation. */
const loginVerdict = (engine: DeviceEngine, { name }: Source, error: unknown): BackendVerdict => ({
  result: 'refused',
  error: { ...publicError(engine, error, { source: name, logMessage: 'a login of a source failed' }), code: 'refused' },
})

/** Sends blobs to the source before the mutation that names them. If the bytes of one are missing, the mutation is not called. */
async function sendBlobs(
  engine: DeviceEngine,
  source: Source,
  { partition, mutation, task }: { partition: string; mutation: Mutation; task: SourceTask },
  context: WriteContext,
): Promise<SourceTask | BackendVerdict> {
  if (task.operation === 'delete' || mutation.blobs === undefined) return task
  const collection = { source: source.name, partition }
  const attributes = task.operation === 'create' ? task.attributes : task.changes
  const needed = await neededBlobs(engine, collection, mutation, attributes)
  const lost = needed.find(({ facts }) => facts === undefined)
  if (lost !== undefined) return blobsLostVerdict(lost.hash)
  const replaced = await storeBlobs(engine, source, { collection, mutation, needed }, context)
  if (task.operation === 'create') return { ...task, attributes: { ...attributes, ...replaced } }
  const changes = { ...attributes, ...replaced }
  return { ...task, changes, ...(task.full && { full: { ...task.full, ...changes } }) }
}

const blobsLostVerdict = (hash: string): BackendVerdict => ({
  result: 'refused',
  error: {
    code: 'blobs_lost',
    message: `expected the bytes of the blob ${hash} to be on the server, got none, and the device cannot send them. Make the change again.`,
  },
})

async function runTask(
  source: Source,
  context: WriteContext,
  object: ObjectId,
  task: SourceTask,
): Promise<BackendVerdict> {
  const { name, methods } = source
  if (task.operation === 'delete') {
    await methods.delete?.(object, context)
    return { result: 'done', write: { object, remove: true } }
  }
  if (task.operation === 'update') {
    const changed = task.full ?? task.changes
    const normalised = checkAttributes(name, 'update', await methods.update?.(object, changed, context))
    if (!task.stored) return { result: 'done' }
    // All attributes of a full update: in the backend it may have overwritten what was written during the call, which a query then reads again.
    return { result: 'done', write: { object, set: { ...changed, ...normalised } as Attributes } }
  }
  const { id: real = object, attributes } = checkCreated(name, await methods.create?.(task.attributes, context))
  const write = { object: real, set: { ...task.attributes, ...attributes } }
  return { result: 'done', write, ...(real !== object && { link: real }) }
}

const unsupportedVerdict = ({ name }: Source, { operation }: SourceTask): BackendVerdict => ({
  result: 'refused',
  error: { code: 'operation_not_supported', message: `${name} has no ${operation}.` },
})

function verdictOfError(engine: DeviceEngine, { name }: Source, error: unknown): BackendVerdict {
  if (isRefusal(error) || isGone(error))
    return { result: 'refused', error: { code: error.code, message: error.message } }
  return { result: 'unknown', error: publicError(engine, error, { source: name, logMessage: 'a write failed' }) }
}

/** Returns the same verdict for the same error. */
function sameVerdictPerError(decide: (error: unknown) => BackendVerdict): (error: unknown) => BackendVerdict {
  const known = new Map<unknown, BackendVerdict>()
  return error => {
    const verdict = known.get(error) ?? decide(error)
    known.set(error, verdict)
    return verdict
  }
}
