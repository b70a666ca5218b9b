import type { Explanation } from '@godwit/admin-client'
import type { Tone } from '../../parts/badge.js'
import type { IconName } from '../../parts/icon.js'

type Verdict = Explanation['on_device']

export const VERDICTS: { readonly [Name in Verdict]: { title: string; tone: Tone; icon: IconName } } = {
  yes: { title: 'It is there', tone: 'good', icon: 'check' },
  delivered: { title: 'It was delivered', tone: 'good', icon: 'check' },
  next_pull: { title: 'The next pull brings it', tone: 'accent', icon: 'refresh' },
  next_file: { title: 'The next file brings its present state', tone: 'accent', icon: 'refresh' },
  no: { title: 'It is not there', tone: 'bad', icon: 'warning' },
  until_next_pull: { title: 'It is still there, until the next pull', tone: 'warn', icon: 'refresh' },
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
  'client_never_asked',
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
  ['text_not_found', 'Look into the backend: does its query answer such an object for this user?'],
  ['user_missing', 'Name the user whose object it is.'],
  ['user_unknown', 'Check the spelling of the login, or make the user.'],
  ['user_locked', 'Let the user in again, on the page of the user: until then no device syncs.'],
  ['user_barred', 'The user is being deleted: make it again under another login, or wait for the end.'],
  ['source_unknown', 'Choose one of the configured sources.'],
  ['client_unknown', 'Leave the device out to look at all of the user.'],
  ['client_of_another_user', 'Name the user whose device it is.'],
  ['mutation_in_doubt', 'Retry or discard the mutation: until then the change of the device waits.'],
  ['query_failed', 'Mend the backend, then refresh the source.'],
  ['bulk_only', 'The device has to ask for bulk data; pulls do not bring this source.'],
  ['mutation_started', 'Wait for the backend: a change of the device is with it now.'],
  ['mutation_queued', 'Look under Jobs why the change of the device waits for a worker.'],
  ['client_none', 'Let the user log in on a device.'],
  ['never_opened', 'Let the device sync once, or push objects.'],
  ['object_unknown', 'Look into the backend: does its query answer this object for this user?'],
  ['object_removed', 'If it should be back, put it back in the backend and refresh the source.'],
  ['client_never_asked', 'Let the device sync.'],
  ['client_behind', 'Ping the user, or wait for the next sync of the device.'],
]

export function nextStep(verdict: Verdict, findings: Explanation['findings']): string {
  if (verdict === 'delivered') return 'Nothing: the next request of the device confirms that the last pull arrived.'
  if (verdict === 'yes') return 'Nothing: the server and the device agree. Look into the app if it does not show it.'
  const codes = new Set(findings.map(({ code }) => code))
  return STEPS.find(([code]) => codes.has(code))?.[1] ?? 'Let the device sync, and look again.'
}
