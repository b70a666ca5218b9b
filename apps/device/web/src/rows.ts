import type { ChangeOf, RemoteRefusal, RowOf } from '@godwit/model'
import type { City, Visit } from './models.js'

export type CityRow = RowOf<typeof City>
export type VisitRow = RowOf<typeof Visit> & { readonly city: CityRow | undefined }
export type RefusedVisit = RemoteRefusal<'Visit', ChangeOf<typeof Visit>>
