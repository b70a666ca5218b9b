import type { WholeResponse } from '../actors/servers.js'
import type { Quotas } from '../world/plan.js'
import type { SimulatedWorld } from '../world/world.js'
import { Violation } from './violation.js'

/** Bytes charged for each blob in addition to its size. */
const OVERHEAD = 1024

/** Checks that a user has no more clients than allowed, and that a refusal says why. */
export const checkClientQuota = (world: SimulatedWorld, answer: WholeResponse): void =>
  checkQuota(answer, { limit: 'clientsPerUser', isOver: world.foreign.clients > quotasOf(world).clientsPerUser })

/** Checks that unreferenced photos of a user stay within the limit; old ones may have been removed. */
export function checkPhotoQuota(world: SimulatedWorld, answer: WholeResponse): void {
  const { blobLife, unnamedBlobBytes } = quotasOf(world)
  const since = world.time.now() - blobLife * 1000
  const count = world.foreign.uploads.filter(at => at > since).length
  checkQuota(answer, { limit: 'unnamedBlobBytes', isOver: count > 1 && count * OVERHEAD > unnamedBlobBytes })
}

/** Checks that a client with too many unacknowledged outcomes cannot send changes. */
export function checkOutcomeQuota(world: SimulatedWorld, answer: WholeResponse): void {
  const { reported, acknowledged } = world.foreign
  const isOver = answer.status === 200 && reported - acknowledged > quotasOf(world).outcomesPerClient
  checkQuota(answer, { limit: 'outcomesPerClient', isOver })
}

interface QuotaCheck {
  readonly limit: keyof Quotas
  /** Whether the server exceeded the limit. */
  readonly isOver: boolean
}

function checkQuota({ status, text, headers }: WholeResponse, { limit, isOver }: QuotaCheck): void {
  if (isOver) throw new Violation('no user has more than allowed', `${limit} is exceeded: ${status} ${text}`)
  if (status !== 429) return
  const problem = JSON.parse(text) as { readonly code: string; readonly limit?: string }
  const isNamed = problem.code === 'quota_exceeded' && problem.limit === limit
  if (isNamed && Number(headers.get('retry-after')) > 0) return
  throw new Violation('a refusal names the quota, and when to ask again', `expected ${limit}, got ${text}`)
}

const quotasOf = ({ plan }: SimulatedWorld): Quotas => {
  if (plan.quotas === undefined) throw new Error('expected a plan with quotas')
  return plan.quotas
}
