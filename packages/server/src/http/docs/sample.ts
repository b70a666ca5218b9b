import { type AnySchema, nameOf } from './schema-text.js'

export type NamedSchemas = { readonly [name: string]: AnySchema }

const OBJECTS = { '7': { name: 'Phone', price: 170.5 } }

/** Sample values, by message and member or by member alone; the first that fits is used. */
const SAMPLE_VALUES: { readonly [name: string]: readonly unknown[] } = {
  login: ['ada'],
  user_id: ['ada'],
  user: ['ada'],
  password: ['a long one'],
  'UserCreate.attributes': [{ login: 'ada', password: 'a long one', team: 'north' }],
  'UserUpdate.attributes': [{ team: 'north' }],
  attributes: [{ name: 'Phone' }],
  objects: [OBJECTS, ['7', '8']],
  data: [OBJECTS],
  'SourceUpdate.data': [{ poll_interval: 60 }],
  delete_data: [{ '7': { discount: 5 } }],
  adapter_url: ['https://backend.example'],
  source: ['Product'],
  source_id: ['Product'],
  source_name: ['Product'],
  sources: [['Product']],
  search: ['phone'],
  object: ['7'],
  ids: [['7', '8']],
  doc: ['md'],
  partition_type: ['app'],
  device_type: ['android'],
  refresh_time: [3600],
}

/** The position of a value: its message and member. */
interface SamplePosition {
  readonly message?: string
  readonly member?: string
}

/** Returns a value that fits the schema: its required members, or the first member if none is required. */
export function sampleOf(
  schema: AnySchema,
  schemas: NamedSchemas,
  { message = '', member = '' }: SamplePosition = {},
): unknown {
  const documented = samplesAt(message, member).find(value => accepts(resolveReference(schema, schemas), value))
  if (documented !== undefined) return documented
  if (schema.$ref !== undefined) {
    return sampleOf(resolveReference(schema, schemas), schemas, { message: nameOf(schema.$ref) })
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.properties) return sampleObject(schema, schemas, message)
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {}, schemas, { message, member })
  if (schema.items) return [sampleOf(schema.items, schemas)]
  if (schema.type === 'object') return {}
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, 0)
  return schema.type === 'boolean' ? true : (member || 'text').padEnd(schema.minLength ?? 0, '-')
}

function sampleObject(
  { properties = {}, required, anyOf }: AnySchema,
  schemas: NamedSchemas,
  message: string,
): unknown {
  const needed = [...(required ?? []), ...(anyOf?.[0]?.required ?? [])]
  const names = needed.length > 0 ? needed : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(
    names.map(member => [member, sampleOf(properties[member] ?? {}, schemas, { message, member })]),
  )
}

const samplesAt = (message: string, member: string): readonly unknown[] =>
  [`${message}.${member}`, member].flatMap(key => (Object.hasOwn(SAMPLE_VALUES, key) ? (SAMPLE_VALUES[key] ?? []) : []))

const resolveReference = (schema: AnySchema, schemas: NamedSchemas): AnySchema =>
  schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {})

/** True if the sample is of the schema's kind: `objects` is a map in some messages and a list of ids in others. */
function accepts({ $ref, type, anyOf, properties }: AnySchema, value: unknown): boolean {
  if ($ref !== undefined) return typeof value === 'object' && !Array.isArray(value)
  if (anyOf && !properties) return anyOf.some(part => accepts(part, value))
  const kind = Array.isArray(value) ? 'array' : typeof value
  return type === kind || (type === 'integer' && kind === 'number')
}
