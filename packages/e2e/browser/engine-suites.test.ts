import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'
import { engineSuites, NODE_SUITES, NODE_TESTS, partOfSuites } from './engine-suites.js'

test('every suite that stays out of the worker of a browser exists, and says why', () => {
  const suites = engineSuites()
  expect(Object.keys({ ...NODE_SUITES, ...NODE_TESTS }).filter(suite => !suites.includes(suite))).toEqual([])
  const reasons = [NODE_SUITES, ...Object.values(NODE_TESTS)].flatMap(Object.values)
  expect(reasons.filter(why => why === '')).toEqual([])
})

test('a suite that imports modules of Node says which of its tests need them', () => {
  const importsNode = (suite: string): boolean =>
    / from 'node:/.test(readFileSync(inRepository(`packages/model/src/${suite}`), 'utf8'))
  const named = { ...NODE_SUITES, ...NODE_TESTS }
  expect(engineSuites().filter(suite => importsNode(suite) && !(suite in named))).toEqual([])
})

test('the files that run suites in browsers run each of the others once', () => {
  const files = readdirSync(inRepository('packages/e2e/browser')).flatMap(
    name => name.match(/^engine-suites-(\d+)\.deep\.test\.ts$/)?.[1] ?? [],
  )
  const run = files.flatMap(number => partOfSuites(Number(number)))
  expect(run.toSorted()).toEqual(engineSuites().filter(suite => !(suite in NODE_SUITES)))
})
