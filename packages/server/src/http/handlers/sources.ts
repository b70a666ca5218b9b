import type { Routes } from '@godwit/protocol'
import { acceptRemovals } from '../../admin/operations/refresh-partition.js'
import { updateSource } from '../../admin/operations/update-source.js'
import { feedReports } from '../../backend/feeds/feed-reports.js'
import { listSources, sourceInfo } from '../../backend/sources/source-info.js'
import { auditCall } from '../audit-rules.js'
import type { Handlers } from '../handler.js'

export const sourcesHandlers: Handlers<Routes['sources']> = {
  all: ({ sources }) => sources.all().map(sourceInfo),
  list: (engine, { parameters: { partition_type } }) => listSources(engine, partition_type),
  get: ({ sources }, { parameters: { source_id } }) => sourceInfo(sources.get(source_id)),
  feeds: engine => feedReports(engine),
  update: {
    handle: async (engine, { parameters: { source_id }, body }) => {
      await updateSource(engine, source_id, body)
      return {}
    },
    audit: auditCall(({ body: { data, user_name } }) => ({
      data: { ...data },
      ...(user_name !== undefined && { user_name }),
    })),
  },
  acceptRemovals: {
    handle: (engine, { parameters: { user_id: user, source_id: source }, signal }) =>
      acceptRemovals(engine, { user, source }, signal),
    audit: auditCall(),
  },
}
