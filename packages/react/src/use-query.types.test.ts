import { defineModel, type Sdk, t } from '@godwit/model'
import { expect, test } from '@jest/globals'
import { useDraft } from './use-draft.js'
import { useQuery } from './use-query.js'
import { useRow } from './use-row.js'

const City = defineModel('City', { attributes: { name: t.string(), population: t.integer().optional() } })
const Visit = defineModel('Visit', {
  attributes: { cityId: t.belongsTo(City, { as: 'city' }), note: t.string().default('') },
})
type App = { City: typeof City; Visit: typeof Visit }
declare const sdk: Sdk<App>

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_is: Same<A, B>): void => undefined

/** Compiled and never run. */
export function Rows(): void {
  const { rows } = useQuery(sdk.models.Visit, { conditions: { city: { name: 'Paris' } }, with: { city: true } })
  same<
    (typeof rows)[number]['city'],
    { readonly id: string; readonly name: string; readonly population: number | undefined } | undefined
  >(true)
  const narrow = useQuery(sdk.models.Visit, { select: ['note'] })
  same<(typeof narrow.rows)[number], { readonly id: string; readonly note: string }>(true)
  const { row } = useRow(sdk.models.City, 'id', { select: ['name'] })
  same<typeof row, { readonly id: string; readonly name: string } | undefined>(true)
  // @ts-expect-error no such attribute
  useQuery(sdk.models.Visit, { conditions: { nothing: 1 } })
  // @ts-expect-error no such relation
  useQuery(sdk.models.Visit, { with: { nothing: true } })
  // @ts-expect-error another type
  useQuery(sdk.models.City, { conditions: { population: { '>': 'many' } } })
}

/** Compiled and never run. */
export function Drafts(): void {
  const { draft, set, changedElsewhere } = useDraft(sdk.models.City, 'id')
  same<
    typeof draft,
    { readonly id: string; readonly name: string; readonly population: number | null | undefined } | undefined
  >(true)
  same<typeof changedElsewhere, readonly ('name' | 'population')[]>(true)
  set({ name: 'Paris', population: null })
  // @ts-expect-error no such attribute
  set({ nothing: 1 })
  // @ts-expect-error required attributes have no null
  set({ name: null })
}

test('hooks infer rows as the model does', () => {
  expect(Rows).toBeInstanceOf(Function)
})
