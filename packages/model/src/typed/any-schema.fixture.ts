import type { AttributeValue } from '@godwit/protocol'
import { defineModel } from './define-model.js'
import type { Model } from './infer.js'
import { builtOf, t } from './t.js'

type Pick = (below: number) => number

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value)

/** The possible declarations of each attribute in the versions of an app, by its name on the server. */
const DECLARATIONS: { readonly [wireName: string]: readonly (() => unknown)[] } = {
  city_id: [
    () => t.belongsTo('City', { as: 'city', serverName: 'city_id' }),
    () => t.belongsTo('City', { as: 'city', serverName: 'city_id' }).optional(),
  ],
  note: [
    () => t.string(),
    () => t.string().default('none'),
    () => t.string().default('x'),
    () => t.string().optional(),
  ],
  name: [() => t.string(), () => t.string().default('12'), () => t.integer().optional(), () => t.enum(['x', 'good'])],
  rating: [() => t.integer(), () => t.integer().default(3), () => t.float().optional(), () => t.boolean()],
  size: [() => t.float().default(1.5), () => t.integer().optional(), () => t.string().default('3')],
  open: [() => t.boolean(), () => t.boolean().default(true), () => t.boolean().optional()],
  mood: [
    () => t.enum(['good', 'bad']),
    () => t.enum(['bad', 'so-so', 'good']).optional(),
    () => t.enum(['so-so', 'good']).default('good'),
  ],
  visited_at: [
    () => t.timestamp({ serverName: 'visited_at' }),
    () => t.timestamp({ serverName: 'visited_at' }).optional(),
    () => t.timestamp({ serverName: 'visited_at' }).default(new Date(86_400_000)),
  ],
  tags: [
    () => t.json(isTexts).default([]),
    () => t.json(isTexts).optional(),
    () => t.json<unknown>().default({ a: 1 }),
  ],
}
export const WIRE_NAMES = [...Object.keys(DECLARATIONS), 'undeclared']

const APP_NAMES: { readonly [wireName: string]: string } = { city_id: 'cityId', visited_at: 'at' }

/** Values that a server may send for any attribute. */
export const VALUES: readonly AttributeValue[] = [
  ...['', 'none', 'good', 'bad', 'so-so', '3', '12', ' 5 ', '1.5', 'true', 'false', 'c1', 'x', 'Ärger', "it's"],
  ...['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678999+02:00', '2026-01-02', '2026-02-30'],
  ...['123456789012345678901', 0, 1, 3, 12, -4, 1.5, 1e21, true, false, [], ['a'], { a: 1 }, [1, { b: null }]],
]

/** The properties of an attribute that tests need. */
export interface AttributeFacts {
  readonly wireName: string
  readonly kind: string
  readonly presence: string
  readonly values: readonly string[]
}

/** One version of a model, with its attributes by their names in the app. */
export interface Schema {
  readonly model: Model
  readonly declared: ReadonlyMap<string, AttributeFacts>
  readonly searched: readonly string[]
}

/** Returns a random version, with attributes, types, defaults and indexes. `migrate` is the app's migration. */
export function anySchema(
  pick: Pick,
  name: string,
  options: { readonly storage: 'bag' | 'fixed'; readonly schemaVersion: number; readonly migrate?: unknown },
): Schema {
  const all = Object.entries(DECLARATIONS).flatMap(([wireName, makers]) =>
    pick(5) === 0 ? [] : [[wireName, makers[pick(makers.length)]?.()] as const],
  )
  const attributes = Object.fromEntries(all.map(([wireName, one]) => [APP_NAMES[wireName] ?? wireName, one]))
  const declared = new Map(
    all.map(([wireName, one]) => {
      const { kind = '', presence = '', options: { values = [] } = {} } = builtOf(one) ?? {}
      return [APP_NAMES[wireName] ?? wireName, { wireName, kind, presence, values }]
    }),
  )
  const namesOf = (fits: (one: AttributeFacts) => boolean) =>
    [...declared].filter(([, one]) => fits(one)).map(([key]) => key)
  const indexed = namesOf(({ kind }) => kind !== 'json').filter(() => pick(4) === 0)
  const searched = namesOf(({ kind }) => kind === 'string').filter(() => pick(3) > 0)
  const model = defineModel(name, {
    ...(options as object),
    sync: 'incremental',
    attributes: attributes as Record<string, ReturnType<typeof t.string>>,
    indexes: { ...(indexed.length > 0 && { some: indexed }), ...(indexed[1] !== undefined && { one: [indexed[1]] }) },
    ...(searched.length > 0 && { textSearch: searched }),
  })
  return { model, declared, searched }
}

/** Returns a random value that the app may write. */
export function anyValue(pick: Pick, { kind, values }: AttributeFacts): unknown {
  if (kind === 'enum') return values[pick(values.length)]
  const choices: { readonly [kind: string]: readonly unknown[] } = {
    string: ['', 'none', 'x', '12', 'Ärger word'],
    belongsTo: ['c1', 'c2', '12', 'nowhere'],
    integer: [0, 3, 12, -4],
    float: [0, 1.5, 12],
    boolean: [true, false],
    timestamp: [new Date(0), new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678))],
    json: [[], ['a'], ['a', 'b']],
  }
  const all = choices[kind] ?? []
  return all[pick(all.length)]
}

/** Returns true if a value shown in a row matches the attribute's type. */
export function isOfKind({ kind, presence, values }: AttributeFacts, value: unknown): boolean {
  if (value === undefined) return presence === 'optional'
  if (kind === 'timestamp') return value instanceof Date && !Number.isNaN(value.getTime())
  if (kind === 'enum') return values.includes(value as string)
  if (kind === 'json') return value !== null
  if (kind === 'integer') return Number.isInteger(value)
  return typeof value === (kind === 'float' ? 'number' : kind === 'boolean' ? 'boolean' : 'string')
}
