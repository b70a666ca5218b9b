import { clientInfoSchema, clientLinesSchema, clientListSchema, clientSourcesSchema } from '../admin/client.js'
import { documentContentSchema, documentNamesSchema, documentWriteSchema } from '../admin/document.js'
import { namesSchema } from '../admin/user.js'
import type { SchemasOf } from '../route-schemas.js'
import type { clientsRoutes } from '../routes/clients.js'

/** Schemas and error codes of the client routes. */
export const clientsSchemas: SchemasOf<typeof clientsRoutes> = {
  list: { query: clientListSchema, answer: namesSchema, problems: ['user_not_found'] },
  get: { answer: clientInfoSchema, problems: ['client_not_found'] },
  page: { query: clientListSchema, answer: clientLinesSchema, problems: ['user_not_found'] },
  sources: { answer: clientSourcesSchema, problems: ['client_not_found'] },
  endSession: { problems: ['client_not_found'] },
  documentNames: { answer: documentNamesSchema, problems: ['client_not_found'] },
  readDocument: { answer: documentContentSchema, problems: ['client_not_found', 'document_not_found'] },
  writeDocument: { body: documentWriteSchema, problems: ['client_not_found', 'document_read_only', 'kind_differs'] },
}
