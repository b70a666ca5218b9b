/** The types of attributes, as the typed face spells them. */
export interface TypeNames {
  string: string
  varchar: string
  blob: string
  integer: number
  float: number
  boolean: boolean
}
export type TypeName = keyof TypeNames

/** How an attribute is declared. With a default it is never undefined. */
export type AttributeSpec =
  | TypeName
  | { readonly type: TypeName; readonly default?: string | number | boolean; readonly overwrite?: boolean }
  /** Holds ids of another model's objects. */
  | { readonly belongsTo: string }

export interface AttributeSpecs {
  readonly [name: string]: AttributeSpec
}

type ValueOf<Spec> = Spec extends TypeName
  ? TypeNames[Spec]
  : Spec extends { readonly type: infer Name extends TypeName }
    ? TypeNames[Name]
    : Spec extends { readonly belongsTo: string }
      ? string
      : never

type WithDefault<Specs> = {
  [Name in keyof Specs]: Specs[Name] extends { readonly default: string | number | boolean } ? Name : never
}[keyof Specs]

/** What an object of the model has. */
export type AttributesOf<Specs> = { readonly [Name in WithDefault<Specs>]: ValueOf<Specs[Name]> } & {
  readonly [Name in Exclude<keyof Specs, WithDefault<Specs>>]?: ValueOf<Specs[Name]>
}

/** A row: plain frozen data. */
export type RowOf<Specs> = { readonly object: string } & AttributesOf<Specs>

/** What `create` takes. `undefined` is as good as left out. */
export type CreateOf<Specs> = { readonly [Name in keyof Specs]?: ValueOf<Specs[Name]> | undefined }

/** What `update` takes: `null` removes an attribute. */
export type ChangeOf<Specs> = { readonly [Name in keyof Specs]?: ValueOf<Specs[Name]> | null | undefined }

type Compare<Value> =
  | Value
  | null
  | readonly Value[]
  | {
      readonly '='?: Value | null
      readonly '<>'?: Value | null
      readonly '<'?: Value
      readonly '>'?: Value
      readonly '<='?: Value
      readonly '>='?: Value
      readonly like?: string
      readonly in?: readonly Value[]
      readonly 'not in'?: readonly Value[]
    }

type ConditionMap<Specs> = { readonly [Name in keyof Specs]?: Compare<ValueOf<Specs[Name]>> } & {
  readonly object?: Compare<string>
}

/** A map of attributes, an SQL expression with its values, or several joined by `op`. */
export type ConditionsOf<Specs> =
  | ConditionMap<Specs>
  | readonly [sql: string, ...values: readonly (string | number | boolean | null | readonly (string | number)[])[]]
  | { readonly conditions: readonly ConditionsOf<Specs>[]; readonly op?: 'AND' | 'OR' }

type NameOf<Specs> = (keyof Specs & string) | 'object'

export interface FindOptions<Specs> {
  readonly conditions?: ConditionsOf<Specs>
  /** Default: order of creation. */
  readonly order?: { readonly [Name in NameOf<Specs>]?: 'ASC' | 'DESC' } | readonly NameOf<Specs>[]
  readonly limit?: number
  readonly offset?: number
  /** The others are left out of the rows, those with a default too. */
  readonly select?: readonly (keyof Specs & string)[]
}
