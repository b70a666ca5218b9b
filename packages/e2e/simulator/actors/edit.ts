/** A write of the app, and what became of it. */
export interface Edit {
  /** Position in the order of writes over all devices. */
  readonly order: number
  readonly model: string
  /** The owner of the data on the device; null before the first login. */
  owner: string | null
  /** The object's id at the time of the write. */
  readonly object: string
  readonly operation: 'create' | 'update' | 'delete'
  /** Every value is unique in a history, so that it identifies its write; null: the attribute was removed. */
  readonly values: { readonly [attribute: string]: string | null }
  /** Hash of the photo written with it; other objects may have the same photo. */
  readonly photo?: string
  /**
   * `perhaps`: the process died before the app knew whether it was stored. `pending`: undecided. `refused`: reported or listed as refused.
   * `superseded`: replaced by a later edit before it was sent. `discarded`: discarded by the app.
   */
  status: 'perhaps' | 'pending' | 'decided' | 'refused' | 'superseded' | 'discarded'
}
