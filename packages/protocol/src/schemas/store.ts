import { documentContentSchema, documentWriteSchema } from '../admin/document.js'
import type { SchemasOf } from '../route-schemas.js'
import type { storeRoutes } from '../routes/store.js'

/** What the routes of the documents of the server take and give, and the problems that are theirs alone. */
export const storeSchemas: SchemasOf<typeof storeRoutes> = {
  read: { answer: documentContentSchema, problems: ['document_not_found'] },
  write: { body: documentWriteSchema, problems: ['kind_differs'] },
}
