import { type Kinds, type PlainKinds, typedKinds } from '../definition/attribute-types.js'
import type {
  Attribute,
  AttributeNaming,
  RequiredAttribute,
  RequiredBelongsTo,
  RequiredEnum,
  StandardSchema,
  UnfinishedBlob,
  UnfinishedJson,
} from './attribute.js'

/** The arguments of a builder. */
export interface AttributeOptions extends AttributeNaming {
  readonly overwrite?: boolean
  readonly values?: readonly string[]
  readonly check?: StandardSchema<unknown> | ((value: unknown) => boolean) | undefined
  readonly target?: string
  readonly as?: string | undefined
  readonly default?: unknown
}

interface Built extends Pick<Attribute, 'kind' | 'presence'> {
  readonly options: AttributeOptions
  readonly target?: string | undefined
  readonly as?: string | undefined
}

const built = new WeakSet<object>()

/** Returns an attribute made by `t`; undefined for anything else, including an unfinished one. */
export function builtOf(given: unknown): Built | undefined {
  if (typeof given !== 'object' || given === null || !built.has(given)) return undefined
  return given as Built
}

function make(kind: keyof Kinds, presence: Attribute['presence'], options: AttributeOptions): Built {
  const one: Built = { kind, presence, options, target: options.target, as: options.as }
  built.add(one)
  return one
}

const finishing = (kind: keyof Kinds, options: AttributeOptions) => ({
  optional: () => make(kind, 'optional', options),
  default: (value: unknown) => make(kind, 'default', { ...options, default: value }),
})

function requiredAttribute(kind: keyof Kinds, options: AttributeOptions): unknown {
  const one = Object.assign(make(kind, 'required', options), finishing(kind, options))
  return one
}

type PlainBuilders = {
  readonly [Kind in keyof PlainKinds]: (options?: AttributeNaming) => RequiredAttribute<Kind>
}

const plainBuilders = (): PlainBuilders =>
  Object.fromEntries(
    typedKinds().map(kind => [kind, (options: AttributeNaming = {}) => requiredAttribute(kind, options)]),
  ) as unknown as PlainBuilders

/** The builders that take arguments. */
const builders = {
  /** Declares a text attribute whose value is one of a list. */
  enum<const Value extends string>(values: readonly Value[], options: AttributeNaming = {}): RequiredEnum<Value> {
    return requiredAttribute('enum', { ...options, values }) as RequiredEnum<Value>
  },
  /** Declares a JSON attribute. A Standard Schema or type guard validates its values; without one, values are assumed to be of type `Value`. */
  json<Value>(
    check?: StandardSchema<Value> | ((value: unknown) => value is Value),
    options: AttributeNaming = {},
  ): UnfinishedJson<Value> {
    return finishing('json', { ...options, check }) as unknown as UnfinishedJson<Value>
  },
  /** Declares a file attribute. `overwrite`: the server's file replaces the one on the device. */
  blob(options: AttributeNaming & { readonly overwrite?: boolean } = {}): UnfinishedBlob {
    return { optional: finishing('blob', options).optional } as unknown as UnfinishedBlob
  },
  /** Declares a reference: the id of an object of another model, given as the model or, if it is defined later, by its name. */
  belongsTo<const Target extends string, const As extends string = never>(
    model: { readonly name: Target } | Target,
    options: AttributeNaming & { /** The name for `with` and conditions. */ readonly as?: As } = {},
  ): RequiredBelongsTo<Target, As> {
    const target = typeof model === 'string' ? model : model.name
    const { optional } = finishing('belongsTo', { ...options, target })
    return Object.assign(make('belongsTo', 'required', { ...options, target }), {
      optional,
    }) as unknown as RequiredBelongsTo<Target, As>
  },
} as const

const everyBuilder = (): PlainBuilders & typeof builders => ({ ...plainBuilders(), ...builders })

/** Declares the attributes of a model. Each is required unless `.optional()` or `.default(value)` is added. */
export const t: PlainBuilders & typeof builders = /* @__PURE__ */ everyBuilder()
