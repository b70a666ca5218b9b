import type { Routes } from '@godwit/protocol'
import { clientLines, pageOfClients, readClient } from '../../accounts/users/client-info.js'
import { clientSources } from '../../accounts/users/client-sources.js'
import { signOutClient } from '../../accounts/users/sign-out-client.js'
import { clientDocumentNames } from '../../admin/documents/document-names.js'
import { readClientDocument } from '../../admin/documents/read-document.js'
import { writeClientDocument } from '../../admin/documents/write-document.js'
import { auditCall, auditDocumentWrite } from '../audit-rules.js'
import type { Handlers } from '../handler.js'

export const clientsHandlers: Handlers<Routes['clients']> = {
  list: (engine, { query }) => pageOfClients(engine, query),
  get: (engine, { parameters: { client_id } }) => readClient(engine, client_id),
  page: (engine, { query }) => clientLines(engine, query),
  sources: (engine, { parameters: { client_id } }) => clientSources(engine, client_id),
  endSession: {
    handle: async (engine, { parameters: { client_id } }) => {
      await signOutClient(engine, client_id)
      return {}
    },
    audit: auditCall(),
  },
  documentNames: (engine, { parameters: { client_id: client, source_id: source } }) =>
    clientDocumentNames(engine, { client, source }),
  readDocument: (engine, { parameters: { client_id: client, source_id: source, doc } }) =>
    readClientDocument(engine, { client, source, doc }),
  writeDocument: {
    handle: async (engine, { parameters: { client_id: client, source_id: source, doc }, body }) => {
      await writeClientDocument(engine, { client, source, doc, ...body })
      return {}
    },
    audit: auditDocumentWrite,
  },
}
