import { appServerSchema } from '../admin/app-server.js'
import { backendSecretSchema } from '../admin/backend-secret.js'
import { jobListSchema, jobsSchema } from '../admin/job.js'
import { licenseSchema } from '../admin/license.js'
import { adminLoginSchema, adminTokenSchema } from '../admin/login.js'
import { resetSchema } from '../admin/reset.js'
import { serverStateSchema } from '../admin/server-state.js'
import { adminSessionSchema } from '../admin/session.js'
import { statsQuerySchema, statsSchema } from '../admin/stats.js'
import { tokenInfosSchema, tokenListSchema } from '../admin/token.js'
import type { SchemasOf } from '../route-schemas.js'
import type { systemRoutes } from '../routes/system.js'

/** Schemas and error codes of the system routes. */
export const systemSchemas: SchemasOf<typeof systemRoutes> = {
  login: {
    body: adminLoginSchema,
    answer: adminTokenSchema,
    problems: ['invalid_credentials', 'not_an_api_user', 'user_locked', 'too_many_attempts'],
  },
  signIn: {
    body: adminLoginSchema,
    answer: adminSessionSchema,
    problems: ['invalid_credentials', 'not_an_api_user', 'user_locked', 'too_many_attempts', 'origin_not_allowed'],
  },
  session: { answer: adminSessionSchema, problems: [] },
  signOut: { problems: [] },
  state: { answer: serverStateSchema, problems: [] },
  license: { answer: licenseSchema, problems: [] },
  reset: { body: resetSchema, problems: ['reset_disabled'] },
  readAppServer: { answer: appServerSchema, problems: [] },
  writeAppServer: { body: appServerSchema, problems: ['url_not_allowed'] },
  readBackendSecret: { answer: backendSecretSchema, problems: [] },
  jobs: { query: jobListSchema, answer: jobsSchema, problems: ['value_not_allowed'] },
  stats: { query: statsQuerySchema, answer: statsSchema, problems: ['metric_not_found'] },
  tokens: { query: tokenListSchema, answer: tokenInfosSchema, problems: [] },
  revokeToken: { problems: ['token_not_found'] },
}
