import { expect } from 'expect'
import { ModuleMocker } from 'jest-mock'

type Body = () => unknown
type Row = readonly unknown[] | unknown

interface Group {
  readonly name: string
  readonly parent: Group | undefined
  readonly beforeAll: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
  readonly afterAll: Body[]
  readonly members: (Group | Test)[]
}

interface Test {
  readonly name: string
  readonly body: Body
}

/** How one test ended. */
export interface TestResult {
  readonly name: string
  /** Absent: it passed, or was left out. */
  readonly error?: string
  readonly isLeftOut?: true
}

const TEST_MILLISECONDS = 180_000

const groupOf = (name: string, parent?: Group): Group => ({
  name,
  parent,
  beforeAll: [],
  beforeEach: [],
  afterEach: [],
  afterAll: [],
  members: [],
})
let current = groupOf('')

/** A test runner of one file after the other, with the names of Jest's. */
export { expect }
export const jest = new ModuleMocker(globalThis)
export const beforeAll = (body: Body): void => void current.beforeAll.push(body)
export const beforeEach = (body: Body): void => void current.beforeEach.push(body)
export const afterEach = (body: Body): void => void current.afterEach.push(body)
export const afterAll = (body: Body): void => void current.afterAll.push(body)

export const describe = eachOf((name, body) => {
  const group = groupOf(name, current)
  current.members.push(group)
  current = group
  body()
  current = group.parent as Group
})
export const test = eachOf((name, body) => void current.members.push({ name, body }))

function eachOf(make: (name: string, body: Body) => void) {
  const each =
    (rows: readonly Row[]) =>
    (name: string, body: (...values: readonly never[]) => unknown): void => {
      for (const [at, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row]
        make(`${name} (${at + 1})`, () => body(...(values as never[])))
      }
    }
  return Object.assign(make, { each, skip: () => {} })
}

/** Runs everything that was described since the last call, but the tests of the names given. */
export async function runAll(leftOut: readonly string[] = []): Promise<readonly TestResult[]> {
  const root = current
  current = groupOf('')
  const results: TestResult[] = []
  await runGroup(root, { path: [], leftOut, results })
  return results
}

interface Run {
  readonly path: readonly Group[]
  readonly leftOut: readonly string[]
  readonly results: TestResult[]
}

async function runGroup(group: Group, { path, leftOut, results }: Run): Promise<void> {
  const names = [...path, group].map(({ name }) => name).filter(name => name !== '')
  for (const before of group.beforeAll) await before()
  for (const member of group.members) {
    if ('members' in member) await runGroup(member, { path: [...path, group], leftOut, results })
    else if (leftOut.includes(member.name)) results.push({ name: member.name, isLeftOut: true })
    else results.push(await runTest(member, [...path, group], names))
  }
  for (const after of group.afterAll) await after()
}

async function runTest({ name, body }: Test, path: readonly Group[], names: readonly string[]): Promise<TestResult> {
  const full = [...names, name].join(' › ')
  let error: unknown
  try {
    for (const { beforeEach: all } of path) for (const before of all) await before()
    await inTime(body)
  } catch (cause) {
    error = cause ?? 'undefined was thrown'
  }
  try {
    for (const { afterEach: all } of path.toReversed()) for (const after of all) await after()
  } catch (cause) {
    error ??= cause
  }
  return error === undefined ? { name: full } : { name: full, error: textOf(error) }
}

async function inTime(body: Body): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took over ${TEST_MILLISECONDS} ms`)), TEST_MILLISECONDS)
  })
  try {
    await Promise.race([body(), late])
  } finally {
    clearTimeout(timer)
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack?.includes(error.message) ? error.stack : `${error.message}\n${error.stack ?? ''}`
  return error.cause === undefined ? own : `${own}\ncaused by ${textOf(error.cause)}`
}
