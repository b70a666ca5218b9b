import type { ChangeOf, RemoteOverwritten, RemoteRefusal, RowOf } from '@godwit/model'
import type { City, Visit } from './models.js'

export type CityRow = RowOf<typeof City>
export type VisitRow = RowOf<typeof Visit> & { readonly city: CityRow | undefined }
export type RefusedVisit = RemoteRefusal<'Visit', ChangeOf<typeof Visit>>
export type OverwrittenVisit = RemoteOverwritten<'Visit'>

/** A visit as the device stores it, in refused and replaced values. */
export interface StoredVisit {
  readonly city_id?: string | null
  readonly note?: string | null
  readonly rating?: number | null
  readonly photo?: string | null
  readonly visited_at?: string | number | null
}
