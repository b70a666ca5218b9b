/** A column as `init` writes it into a model. */
export interface DescribedColumn {
  readonly name: string
  readonly type: string
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly hasDefault: boolean
  readonly isGenerated: boolean
  /** The labels of an enum. */
  readonly labels?: readonly string[]
  /** The table that a foreign key of this column alone refers to. */
  readonly refersTo?: string
}

/** A table as the catalog of its database describes it. */
export interface DescribedTable {
  readonly name: string
  readonly columns: readonly DescribedColumn[]
  readonly primaryKey: readonly string[]
  /** Conditions of CHECK constraints, as the database writes them. */
  readonly checks: readonly string[]
}
