import type { Explanation } from '@godwit/admin-client'
import type { Tone } from '../../parts/badge.js'
import type { IconName } from '../../parts/icon.js'

type Verdict = Explanation['on_device']

export const VERDICTS: { readonly [Name in Verdict]: { title: string; label: string; tone: Tone; icon: IconName } } = {
  yes: { title: 'The device has it', label: 'present', tone: 'good', icon: 'check' },
  delivered: { title: 'The last pull delivered it', label: 'delivered', tone: 'good', icon: 'check' },
  next_pull: { title: 'The next pull delivers it', label: 'pending', tone: 'accent', icon: 'refresh' },
  next_file: { title: 'The next file delivers its current state', label: 'pending', tone: 'accent', icon: 'refresh' },
  no: { title: 'The device does not have it', label: 'missing', tone: 'bad', icon: 'warning' },
  until_next_pull: { title: 'The next pull removes it', label: 'outdated', tone: 'warn', icon: 'refresh' },
}

const SUCCESS_CODES = new Set([
  'object_present',
  'client_has_it',
  'client_was_sent',
  'client_made_it',
  'queried',
  'partition',
])
const ERROR_CODES = new Set([
  'user_unknown',
  'user_missing',
  'text_not_found',
  'source_unknown',
  'user_locked',
  'client_unknown',
  'client_of_another_user',
  'query_failed',
  'mutation_in_doubt',
  'object_unknown',
])
const WARNING_CODES = new Set([
  'user_barred',
  'bulk_only',
  'never_opened',
  'never_queried',
  'removals_pending',
  'clients_more',
  'client_none',
  'object_removed',
  'client_behind',
  'client_never_pulled',
  'mutation_queued',
  'mutation_started',
])

export function toneOf(code: string): Tone {
  if (SUCCESS_CODES.has(code)) return 'good'
  if (ERROR_CODES.has(code)) return 'bad'
  return WARNING_CODES.has(code) ? 'warn' : 'plain'
}

/** The recommended action by finding; the first match applies. */
const STEPS: readonly (readonly [code: string, todo: string])[] = [
  ['text_not_found', 'Check whether the query of the backend returns such an object for this user.'],
  ['user_missing', 'Enter the user to whom the object belongs.'],
  ['user_unknown', 'Check the spelling of the login, or create the user.'],
  ['user_locked', 'Unlock the user on the page Users: no device of the user can sync until then.'],
  ['user_barred', 'Wait until the user is deleted, or create the user with another login.'],
  ['source_unknown', 'Choose one of the configured sources.'],
  ['client_unknown', 'Leave the device out to check all devices of the user.'],
  ['client_of_another_user', 'Enter the user to whom the device belongs.'],
  ['mutation_in_doubt', 'Retry or discard the mutation: the change of the device waits until then.'],
  ['query_failed', 'Fix the backend, then refresh the source.'],
  ['bulk_only', 'The device must request bulk data: pulls do not deliver this source.'],
  ['mutation_started', 'Wait for the backend, which is processing a change of the device.'],
  ['mutation_queued', 'Check on the page Jobs why the change of the device waits for a worker.'],
  ['client_none', 'Let the user log in on a device.'],
  ['never_opened', 'Let the device sync once, or push objects.'],
  ['object_unknown', 'Check whether the query of the backend returns this object for this user.'],
  ['object_removed', 'To restore the object, add it to the backend again and refresh the source.'],
  ['client_never_pulled', 'Let the device sync.'],
  ['client_behind', 'Ping the user, or wait for the next sync of the device.'],
]

export function nextStep(verdict: Verdict, findings: Explanation['findings']): string {
  if (verdict === 'delivered') return 'None: the next request of the device confirms that the last pull arrived.'
  if (verdict === 'yes')
    return 'None: the server and the device agree. If the app does not show the object, check the app.'
  const codes = new Set(findings.map(({ code }) => code))
  return STEPS.find(([code]) => codes.has(code))?.[1] ?? 'Let the device sync, then check again.'
}
