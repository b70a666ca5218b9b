import type { Explanation, Finding } from '@godwit/protocol'
import { type DeviceStanding, standingOf } from './device-standing.js'
import type { ExplainFacts, NamedDevices, UndecidedChange } from './facts.js'

/** Returns the verdict, and the findings that lead to it in the order of the checks. */
export function explanationOf(facts: ExplainFacts): Pick<Explanation, 'on_device' | 'findings'> {
  const begin = subjectFindings(facts)
  if (facts.userState === 'unknown' || facts.userState === 'missing' || facts.sourceState === 'unknown')
    return { on_device: 'no', findings: begin }
  const standings =
    facts.devices.kind === 'known' && facts.sourceState === 'pulled'
      ? facts.devices.devices.map(device => standingOf(facts, device))
      : []
  const findings = [
    ...begin,
    { code: 'partition', message: `${facts.user} reads partition ${facts.partition} of ${facts.source}.` },
    ...facts.queries,
    objectFinding(facts),
    ...facts.changes.map(changeFinding),
    ...standings.map(({ finding }) => finding),
    ...deviceFindings(facts),
  ]
  return { on_device: verdictOf(facts, standings), findings }
}

/** Returns the findings about user and source. */
export const subjectFindings = (facts: Pick<ExplainFacts, 'user' | 'userState' | 'source' | 'sourceState'>) => [
  ...userFindings(facts),
  ...sourceFindings(facts),
]

/** With several devices, one that lacks the object decides. */
function verdictOf(facts: ExplainFacts, standings: readonly DeviceStanding[]): Explanation['on_device'] {
  const { devices, present, sourceState, userState } = facts
  if (devices.kind === 'unknown' || devices.kind === 'of_another_user' || hasNone(devices)) return 'no'
  if (sourceState === 'bulk_only') return present.state === 'never' ? 'no' : 'next_file'
  const isAnswered = userState === 'known'
  if (devices.kind === 'none_named') return present.state === 'live' && isAnswered ? 'next_pull' : 'no'
  const has = new Set(standings.map(({ standing }) => standing))
  if (has.has('lacks')) return isAnswered ? 'next_pull' : 'no'
  if (has.has('holds')) return 'until_next_pull'
  if (has.has('without')) return 'no'
  return has.has('sent') ? 'delivered' : 'yes'
}

const hasNone = (named: NamedDevices): boolean => named.kind === 'known' && named.devices.length === 0

function userFindings({
  user,
  userState,
  source,
}: Pick<ExplainFacts, 'user' | 'userState' | 'source'>): readonly Finding[] {
  if (userState === 'missing')
    return [{ code: 'user_missing', message: `${source} has a separate partition for each user. Specify a user.` }]
  if (userState === 'unknown')
    return [{ code: 'user_unknown', message: `User ${JSON.stringify(user)} does not exist.` }]
  if (userState === 'locked')
    return [{ code: 'user_locked', message: `User ${user} is locked: pulls fail until an admin unlocks the user.` }]
  if (userState === 'known') return []
  return [{ code: 'user_barred', message: `User ${user} is being deleted: pulls fail.` }]
}

function sourceFindings({ source, sourceState }: Pick<ExplainFacts, 'source' | 'sourceState'>): readonly Finding[] {
  if (sourceState === 'unknown')
    return [{ code: 'source_unknown', message: `Source ${JSON.stringify(source)} does not exist.` }]
  if (sourceState === 'pulled') return []
  const message = `${source} is bulk_only: devices have the content of the last bulk file they loaded, and pulls deliver nothing.`
  return [{ code: 'bulk_only', message }]
}

function objectFinding({ present }: ExplainFacts): Finding {
  if (present.state === 'live')
    return { code: 'object_present', message: `The server has the object at version ${present.version}.` }
  if (present.state === 'gone')
    return { code: 'object_removed', message: `The object was removed in version ${present.version}.` }
  const why = 'no query or push has delivered it, or it was removed long ago'
  return { code: 'object_unknown', message: `The server does not have the object: ${why}.` }
}

const MEANING = {
  queued: 'is waiting in the queue',
  started: 'was started by a process that no longer runs, and will be resumed',
  in_doubt: 'was sent to the backend with an unknown result; an operator decides',
} as const

const changeFinding = ({ state, operation, number, client, attempts }: UndecidedChange): Finding => ({
  code: `mutation_${state}`,
  message: `Mutation ${number} (${operation}) of client ${client} ${MEANING[state]} (attempts: ${attempts}).`,
})

function deviceFindings({ user, devices }: ExplainFacts): readonly Finding[] {
  switch (devices.kind) {
    case 'none_named':
      return [{ code: 'client_none_named', message: 'No user was specified, so no device was checked.' }]
    case 'unknown':
      return [{ code: 'client_unknown', message: `Client ${JSON.stringify(devices.client)} does not exist.` }]
    case 'of_another_user':
      return [{ code: 'client_of_another_user', message: `Client ${devices.client} belongs to ${devices.owner}.` }]
    default:
      if (hasNone(devices)) return [{ code: 'client_none', message: `${user} has no device.` }]
      return devices.areMore
        ? [
            {
              code: 'clients_more',
              message: `${user} has more clients that were not checked. Specify a client to check it.`,
            },
          ]
        : []
  }
}
