import type { Routes } from '@godwit/protocol'
import { fastDelete, fastUpdate } from '../../master/fast-changes.js'
import { pushDeletes } from '../../master/push-deletes.js'
import { pushObjects } from '../../master/push-objects.js'
import type { Handlers } from '../handler.js'

export const pluginHandlers: Handlers<Routes['plugin']> = {
  pushObjects: (engine, { parameters: { source_name: source }, body: { user_id: user, objects, rebuild_md } }) =>
    pushObjects(engine, { source, user, objects, verify: rebuild_md === true }),
  pushDeletes: (engine, { parameters: { source_name: source }, body: { user_id: user, objects, rebuild_md } }) =>
    pushDeletes(engine, { source, user, objects, verify: rebuild_md === true }),
  fastInsert: (engine, { parameters: { source_name: source }, body: { user_id: user, objects, data } }) =>
    pushObjects(engine, { source, user, objects: objects ?? data ?? {} }),
  fastUpdate: (engine, { parameters: { source_name: source }, body: { user_id: user, delete_data, data } }) =>
    fastUpdate(engine, { source, user, before: delete_data, after: data }),
  fastDelete: (engine, { parameters: { source_name: source }, body: { user_id: user, data } }) =>
    fastDelete(engine, { source, user, data }),
}
