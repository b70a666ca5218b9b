import { documentContentSchema, documentWriteSchema } from '../admin/document.js'
import type { SchemasOf } from '../route-schemas.js'
import type { storeRoutes } from '../routes/store.js'

/** Schemas and error codes of the routes for the server's documents. */
export const storeSchemas: SchemasOf<typeof storeRoutes> = {
  read: { answer: documentContentSchema, problems: ['document_not_found'] },
  write: { body: documentWriteSchema, problems: ['kind_differs'] },
}
