import { isPartitionParameters, type PartitionParameters, parametersName, SyncError } from '@godwit/protocol'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { DEFAULT_PRIORITY } from '../database/tables/subscription-table.js'
import { idNow } from '../outbox/linked-ids.js'

/** A length of time: milliseconds, or a number with its unit: `30s`, `5m`, `12h`, `7d`. */
export type Duration = number | `${number}${'s' | 'm' | 'h' | 'd'}`

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /** How long rows stay after `unsubscribe`. Default 0: until the next sync. */
  readonly keep?: Duration
  /** Lower numbers are pulled first. Default 1000. */
  readonly priority?: number
}

/** Stores that the app wants a partition, inside the caller's transaction. Repeating it replaces the options. */
export function subscribe(
  models: OpenModels,
  model: OpenModel,
  given: unknown,
  { keep = 0, priority = DEFAULT_PRIORITY }: SubscribeOptions = {},
): void {
  const partition = partitionOf(models, model, given)
  if (!Number.isSafeInteger(priority) || priority < 1)
    throw invalid(`subscribe, priority: expected a whole number from 1, got ${priority}`)
  model.scope.subscriptions.subscribe(model.name, { partition, keep: millisecondsOf(keep), priority })
}

/** Stores that the app no longer wants a partition, inside the caller's transaction. Its rows go after `keep`. */
export function unsubscribe(models: OpenModels, model: OpenModel, given: unknown, now: number): void {
  model.scope.subscriptions.unsubscribe(model.name, partitionOf(models, model, given), now)
}

/** Returns the name of a partition, with real ids for temporary ones. Throws `value_not_allowed` for anything that names none. */
export function partitionOf(models: OpenModels, model: OpenModel, given: unknown): string {
  const { by } = model.definition
  if (!by)
    throw invalid(`${model.name} has no by, so it is one partition, which always syncs: expected a model with by`)
  if (!isPartitionParameters(given, by))
    throw invalid(`${model.name}: expected a value of each of ${by.join(', ')}, got ${JSON.stringify(given)}`)
  return parametersName(withRealIds(models, model, given))
}

const withRealIds = (
  models: OpenModels,
  { definition }: OpenModel,
  parameters: PartitionParameters,
): PartitionParameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const owners = models.owners(definition, name)
      return [name, typeof value === 'string' && owners.length > 0 ? idNow(owners, value) : value]
    }),
  )

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function millisecondsOf(duration: Duration): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(String(duration)) ?? []
  const milliseconds = digits === undefined ? Number(duration) : Number(digits) * UNITS[unit as keyof typeof UNITS]
  if (milliseconds >= 0 && Number.isSafeInteger(Math.round(milliseconds))) return Math.round(milliseconds)
  throw invalid(`subscribe, keep: expected milliseconds or a time such as '7d', got ${JSON.stringify(duration)}`)
}

const invalid = (message: string): SyncError => new SyncError('value_not_allowed', `${message}.`)
