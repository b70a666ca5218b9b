import type { Routes } from '@godwit/protocol'
import { readStoredDocument, writeStoredDocument } from '../../admin/documents/stored-documents.js'
import { SERVER_SCOPE } from '../../base/document-scopes.js'
import { auditDocumentWrite } from '../audit-rules.js'
import type { Handlers } from '../handler.js'

export const storeHandlers: Handlers<Routes['store']> = {
  read: (engine, { parameters: { doc } }) => readStoredDocument(engine, { scope: SERVER_SCOPE, doc }),
  write: {
    handle: async (engine, { parameters: { doc }, body }) => {
      await writeStoredDocument(engine, { scope: SERVER_SCOPE, doc, ...body })
      return {}
    },
    audit: auditDocumentWrite,
  },
}
