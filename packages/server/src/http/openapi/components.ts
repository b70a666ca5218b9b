import type { JsonSchema } from '@godwit/protocol/schemas'
import { descriptions } from './descriptions.js'

/** Collects the schemas of messages by name, so that each is in the document once, with its members' descriptions. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>()

  /** Returns a schema with the message replaced by a reference; the schema is the message, or a list, map or optional of it. */
  refer(schema: JsonSchema, message: string | undefined): JsonSchema {
    if (message === undefined) return schema
    const { isMap, isUnion } = descriptions.messages[message] ?? {}
    if (isUnion) return this.#union(schema, message)
    return this.#replace(schema, message, isMap === true)
  }

  /** Returns the members of a message that is used inline, as a query. */
  membersOf(schema: JsonSchema, message: string | undefined): { readonly [name: string]: JsonSchema } {
    return (this.#describe(schema, message ?? '') as NestedSchema).properties ?? {}
  }

  /** Returns the schemas by name. */
  all(): { readonly [name: string]: JsonSchema } {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** Adds a union of messages, each under its own name; the schema is the union or a list of it. */
  #union(schema: JsonSchema, message: string): JsonSchema {
    const { anyOf = [], items } = schema as NestedSchema
    if (items) return { ...schema, items: this.#union(items, message) }
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
