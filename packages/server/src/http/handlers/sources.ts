import type { Routes } from '@godwit/protocol'
import { listSources, sourceInfo } from '../../sources/source-info.js'
import { updateSource } from '../../sources/update-source.js'
import type { Handlers } from '../handler.js'

export const sourcesHandlers: Handlers<Routes['sources']> = {
  all: ({ sources }) => sources.all().map(sourceInfo),
  list: (engine, { parameters: { partition_type } }) => listSources(engine, partition_type),
  get: ({ sources }, { parameters: { source_id } }) => sourceInfo(sources.get(source_id)),
  update: async (engine, { parameters: { source_id }, body }) => {
    await updateSource(engine, source_id, body)
    return {}
  },
}
