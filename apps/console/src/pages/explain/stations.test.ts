import { expect, test } from '@jest/globals'
import { nextStep, toneOf } from './stations.js'

const finding = (code: string) => ({ code, message: '' })

test('the first fault found decides the advice', () => {
  const findings = ['partition', 'query_failed', 'object_unknown'].map(finding)
  expect(nextStep('no', findings)).toContain('Fix the backend')
  expect(nextStep('yes', findings)).toContain('None')
  expect(nextStep('delivered', findings)).toContain('confirms')
  expect(nextStep('next_pull', [finding('of a newer server')])).toContain('check again')
  expect(['object_present', 'query_failed', 'client_behind', 'of a newer server'].map(toneOf)).toEqual([
    'good',
    'bad',
    'warn',
    'plain',
  ])
})

test('a lock, a deletion and a change under way have a tone and a next step', () => {
  const codes = ['user_locked', 'user_barred', 'mutation_started', 'mutation_queued']
  expect(codes.map(toneOf)).toEqual(['bad', 'warn', 'warn', 'warn'])
  const steps = codes.map(code => nextStep('no', [finding(code), finding('object_unknown')]))
  expect(steps.map(step => step.split(/[ :,]/)[0])).toEqual(['Unlock', 'Wait', 'Wait', 'Check'])
  expect(toneOf('clients_more')).toBe('warn')
})
