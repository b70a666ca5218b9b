import type { Routes } from '@godwit/protocol'
import { SERVER_SCOPE } from '../../documents/document-scopes.js'
import { readKept, writeKept } from '../../documents/stored-documents.js'
import type { Handlers } from '../handler.js'

export const storeHandlers: Handlers<Routes['store']> = {
  read: (engine, { parameters: { doc } }) => readKept(engine, { scope: SERVER_SCOPE, doc }),
  write: async (engine, { parameters: { doc }, body }) => {
    await writeKept(engine, { scope: SERVER_SCOPE, doc, ...body })
    return {}
  },
}
