import type { JsonSchema } from '@godwit/protocol/schemas'
import { descriptions } from './descriptions.js'

/** Gathers the schemas of messages under their names, so that each stands in the document once, with what its members mean. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>()

  /** The schema of a place whose type is this message, or a list, a map or an optional of it: with the message as a reference. */
  refer(schema: JsonSchema, message: string | undefined): JsonSchema {
    if (message === undefined) return schema
    const { isMap, isUnion } = descriptions.messages[message] ?? {}
    if (isUnion) return this.#union(schema, message)
    return this.#replace(schema, message, isMap === true)
  }

  /** The members of a message that is spread out: a query. */
  membersOf(schema: JsonSchema, message: string | undefined): { readonly [name: string]: JsonSchema } {
    return (this.#describe(schema, message ?? '') as NestedSchema).properties ?? {}
  }

  /** By name. */
  all(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** One of several messages: each stands in the document under its own name. */
  #union(schema: JsonSchema, message: string): JsonSchema {
    const { anyOf = [] } = schema as NestedSchema
    const parts = anyOf.map(({ title, ...part }) => this.#referTo(part as JsonSchema, String(title)))
    this.#schemas.set(message, { description: descriptions.messages[message]?.description ?? '', anyOf: parts })
    return { $ref: `#/components/schemas/${message}` }
  }

  #replace(schema: JsonSchema, message: string, isMap: boolean): JsonSchema {
    if (isMap ? schema['type'] === 'object' : schema['properties']) return this.#referTo(schema, message)
    const { anyOf, items, additionalProperties } = schema as NestedSchema
    return {
      ...schema,
      ...(anyOf && { anyOf: anyOf.map(part => this.#replace(part, message, isMap)) }),
      ...(items && { items: this.#replace(items, message, isMap) }),
      ...(additionalProperties && { additionalProperties: this.#replace(additionalProperties, message, isMap) }),
    }
  }

  #referTo(schema: JsonSchema, message: string): JsonSchema {
    if (!this.#schemas.has(message)) {
      this.#schemas.set(message, {})
      this.#schemas.set(message, this.#describe(schema, message))
    }
    return { $ref: `#/components/schemas/${message}` }
  }

  #describe(schema: JsonSchema, message: string): JsonSchema {
    const { description = '', members = {}, values } = descriptions.messages[message] ?? {}
    const { properties, additionalProperties } = schema as NestedSchema
    const described = Object.entries(properties ?? {}).map(([name, member]) => {
      const docs = members[name]
      return [name, { ...this.refer(member, docs?.message), ...(docs && { description: docs.description }) }] as const
    })
    return {
      description,
      ...schema,
      ...(properties && { properties: Object.fromEntries(described) }),
      ...(additionalProperties && { additionalProperties: this.refer(additionalProperties, values) }),
    }
  }
}

interface NestedSchema {
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema
}
