import type { JsonValue } from '@godwit/protocol'
import { emptyRecord } from '@godwit/protocol'
import type { Dice } from '../simulator/world/dice.js'
import { hostile } from './hostile.js'
import type { KnownNames } from './known-names.js'

/** The slice of JSON Schema that the document uses. */
export interface ValueSchema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly pattern?: string
  readonly anyOf?: readonly ValueSchema[]
  readonly items?: ValueSchema
  readonly properties?: { readonly [name: string]: ValueSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: ValueSchema | false
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export type Schemas = { readonly [name: string]: ValueSchema }

/** Makes values that fit a schema: often what the server has told of, else text of every kind. */
export class ValueMaker {
  readonly #dice: Dice
  readonly #schemas: Schemas
  readonly #known: KnownNames

  constructor(dice: Dice, schemas: Schemas, known: KnownNames) {
    this.#dice = dice
    this.#schemas = schemas
    this.#known = known
  }

  /** `name` is that of the member or parameter, which tells what it may mean. */
  fitting(schema: ValueSchema, name = ''): JsonValue {
    if (schema.$ref !== undefined) {
      return this.fitting(this.#schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, name)
    }
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return this.#dice.any(schema.enum) ?? null
    if (schema.properties) return this.#object(schema)
    if (schema.anyOf) return this.fitting(this.#dice.any(schema.anyOf) ?? {}, name)
    if (schema.type === 'array') return this.#list(schema, name)
    if (schema.type === 'object') return this.#map(schema)
    if (schema.type === 'string') return this.text(schema, name)
    if (schema.type === 'integer' || schema.type === 'number') return this.#number(schema)
    if (schema.type === 'boolean') return this.#dice.chance(0.5)
    return schema.type === 'null' ? null : this.anything()
  }

  text({ minLength = 0, maxLength = 20_000, pattern }: ValueSchema, name = ''): string {
    const known = this.#dice.chance(0.85) ? this.#known.any(name, this.#dice) : undefined
    if (known !== undefined) return known
    if (pattern?.includes('[0-9a-f]{64}')) return '0123456789abcdef'.repeat(4)
    const text = this.#dice.chance(0.5) ? hostile(this.#dice) : `${name}${this.#dice.below(5)}`
    return [...text.padEnd(minLength, '-')].slice(0, maxLength).join('')
  }

  /** Any JSON value, small. */
  anything(depth = 0): JsonValue {
    const kind = this.#dice.below(depth > 2 ? 5 : 7)
    if (kind === 0) return null
    if (kind === 1) return this.#dice.chance(0.5)
    if (kind === 2) return this.#dice.any([0, -0, 1, -1, 0.1, 2 ** 53, -(2 ** 53), 1e308, 5e-324]) ?? 0
    if (kind <= 4) return this.text({})
    if (kind === 5) return Array.from({ length: this.#dice.below(3) }, () => this.anything(depth + 1))
    return this.#record(this.#dice.below(3), () => this.anything(depth + 1))
  }

  #object({ properties = {}, required = [], anyOf }: ValueSchema): JsonValue {
    const needed = [...required, ...(this.#dice.any(anyOf ?? [])?.required ?? [])]
    const made = emptyRecord<JsonValue>()
    for (const [name, member] of Object.entries(properties)) {
      if (needed.includes(name) || this.#dice.chance(0.4)) made[name] = this.fitting(member, name)
    }
    return made
  }

  #list({ items = {}, minItems = 0, maxItems = 4 }: ValueSchema, name: string): JsonValue {
    const length = this.#dice.between(minItems, Math.max(minItems, Math.min(maxItems, 4)))
    return Array.from({ length }, () => this.fitting(items, name))
  }

  #map({ additionalProperties }: ValueSchema): JsonValue {
    return this.#record(this.#dice.below(4), () => this.fitting(additionalProperties || {}))
  }

  #record(size: number, value: () => JsonValue): JsonValue {
    const made = emptyRecord<JsonValue>()
    for (let at = 0; at < size; at++) made[this.#key()] = value()
    return made
  }

  #key(): string {
    return this.#dice.chance(0.5) ? `object${this.#dice.below(8)}` : hostile(this.#dice)
  }

  #number({ minimum = -1000, maximum = 100_000, type }: ValueSchema): number {
    const edges = [minimum, minimum + 1, maximum, Math.min(maximum, Math.max(minimum, 5))]
    const number = this.#dice.chance(0.3)
      ? (this.#dice.any(edges) ?? minimum)
      : this.#dice.between(minimum, Math.min(maximum, minimum + 20))
    return type === 'integer' ? Math.trunc(number) : number
  }
}
