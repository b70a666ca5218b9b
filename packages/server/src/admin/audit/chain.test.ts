import { type AuditRow, openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { chainRows, checkChain, linkHash } from './chain.js'
import { type AuditedAction, entryText } from './entry.js'

const deed: AuditedAction = {
  time: '',
  login: 'admin',
  role: 'admin',
  action: 'store.write',
  about: {},
  address: '',
  result: '',
}

async function auditOf(count: number) {
  const { audit } = openMemoryStore()
  for (let number = 1; number <= count; number++) {
    const about = { doc: `doc ${number}` }
    await audit.append(chainRows(await audit.head(), [own => entryText(own, { ...deed, about })]))
  }
  return audit
}

/** The audit log with other rows, oldest first. */
const tampered = ({ head }: Awaited<ReturnType<typeof auditOf>>, rows: readonly AuditRow[]) => ({
  head,
  list: async ({
    before = Number.POSITIVE_INFINITY,
    limit,
  }: {
    readonly before?: number | undefined
    readonly limit: number
  }) =>
    [...rows]
      .filter(({ number }) => number < before)
      .reverse()
      .slice(0, limit),
})

test('an unmodified audit of any length is intact', async () => {
  for (const count of [0, 1, 2, 1203]) {
    const audit = await auditOf(count)
    const head = (await audit.head()) ?? null
    expect(await checkChain(audit)).toEqual({ intact: true, checked: count, head })
  }
})

test('an entry that was changed, removed or moved is detected', async () => {
  const count = 12
  const audit = await auditOf(count)
  const rows = [...(await audit.list({ limit: 99 }))].reverse()
  const at = fc.integer({ min: 0, max: count - 1 })
  const swap = (list: AuditRow[], one: number, other: number, names: readonly (keyof AuditRow)[]) => {
    const [first, second] = [list[one], list[other]] as [AuditRow, AuditRow]
    const taken = (from: AuditRow) => Object.fromEntries(names.map(name => [name, from[name]]))
    list[one] = { ...first, ...taken(second) }
    list[other] = { ...second, ...taken(first) }
  }
  const deeds = fc.oneof(
    fc.tuple(at, fc.string()).map(([index, text]) => (list: AuditRow[]) => {
      list[index] = { ...(list[index] as AuditRow), text }
    }),
    // With its own hash recomputed.
    at.map(index => (list: AuditRow[]) => {
      const text = entryText(index + 1, { ...deed, login: 'somebody else' })
      list[index] = { number: index + 1, text, hash: linkHash(list[index - 1]?.hash ?? '', text) }
    }),
    at.map(index => (list: AuditRow[]) => void list.splice(index, 1)),
    // The rows after it renumbered.
    at.map(index => (list: AuditRow[]) => {
      list.splice(index, 1)
      for (const [place, row] of list.entries()) list[place] = { ...row, number: place + 1 }
    }),
    fc
      .tuple(
        fc.uniqueArray(at, { minLength: 2, maxLength: 2 }),
        fc.constantFrom(['text'] as const, ['text', 'hash'] as const),
      )
      .map(
        ([[one = 0, other = 1], names]) =>
          (list: AuditRow[]) =>
            swap(list, one, other, names),
      ),
  )
  await fc.assert(
    fc.asyncProperty(deeds, async touch => {
      const list = [...rows]
      touch(list)
      expect(await checkChain(tampered(audit, list))).toMatchObject({ intact: false, broken: {} })
    }),
  )
})

test('the position of the fault is reported', async () => {
  const audit = await auditOf(5)
  const rows = [...(await audit.list({ limit: 99 }))].reverse()
  const broken = async (list: readonly AuditRow[]) => (await checkChain(tampered(audit, list))).broken
  expect(await broken(rows.slice(0, 4))).toEqual({ number: 5, why: 'missing' })
  expect(await broken(rows.slice(1))).toEqual({ number: 1, why: 'missing' })
  expect(await broken(rows.filter(({ number }) => number !== 3))).toEqual({ number: 3, why: 'missing' })
  const changed = rows.map(row => (row.number === 2 ? { ...row, text: row.text.replace('admin', 'nimda') } : row))
  expect(await broken(changed)).toEqual({ number: 2, why: 'changed' })
})
