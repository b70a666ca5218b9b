/** What the app wrote, and what became of it. */
export interface Edit {
  /** In order of writing, over all devices. */
  readonly order: number
  readonly model: string
  /** Whose data was on the device; null before the first login. */
  owner: string | null
  /** The id under which the app knew it. */
  readonly object: string
  readonly operation: 'create' | 'update' | 'delete'
  /** Every value is written once in a history, so that it is known by itself; null: the attribute was removed. */
  readonly values: { readonly [attribute: string]: string | null }
  /** The photo that came with it, by its hash: others may have the same. */
  readonly photo?: string
  /** `perhaps`: its process died before the app heard whether it is stored. `pending`: undecided. `refused`: the app was told, or can see it among the refused. `superseded`: a later edit of this device took its place before it was sent. `discarded`: the app threw it away. */
  status: 'perhaps' | 'pending' | 'decided' | 'refused' | 'superseded' | 'discarded'
}
