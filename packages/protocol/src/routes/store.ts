import type { DocumentContent, DocumentWrite } from '../admin/document.js'
import { route } from '../route.js'

/** Documents of the server. */
export const storeRoutes = {
  /** Returns a document of the server. */
  read: route<{ answer: DocumentContent }>()({ method: 'GET', path: '/rc/v1/store/<doc>', roles: ['reader'] }),
  /** Writes a document of the server. */
  write: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/store/<doc>',
    roles: ['operator'],
    bodyLimit: 32 * 1024 * 1024,
  }),
} as const
