import type { Routes, WriteResult } from '@godwit/protocol'
import { withReplacedAt } from '../../admin/operations/replaced-at.js'
import {
  fastDelete,
  fastUpdate,
  pushDeletes,
  pushObjects,
  type WriteTarget,
} from '../../backend/master/push-objects.js'
import { type Handlers, originOf } from '../handler.js'
import type { HttpEngine } from '../http-engine.js'

/** Writes objects, and adds when a query replaces them. */
async function writeObjects(
  engine: HttpEngine,
  target: WriteTarget,
  write: (to: WriteTarget) => Promise<WriteResult>,
): Promise<WriteResult> {
  return withReplacedAt(engine, target, await write(target))
}

export const pluginHandlers: Handlers<Routes['plugin']> = {
  pushObjects: (
    engine,
    { parameters: { source_name: source }, body: { user_id: user, objects, rebuild_md }, caller },
  ) =>
    writeObjects(engine, { source, user, origin: originOf(caller, 'push') }, to =>
      pushObjects(engine, { ...to, objects, verify: rebuild_md === true }),
    ),
  pushDeletes: (
    engine,
    { parameters: { source_name: source }, body: { user_id: user, objects, rebuild_md }, caller },
  ) =>
    writeObjects(engine, { source, user, origin: originOf(caller, 'push') }, to =>
      pushDeletes(engine, { ...to, objects, verify: rebuild_md === true }),
    ),
  fastInsert: (engine, { parameters: { source_name: source }, body: { user_id: user, objects, data }, caller }) =>
    writeObjects(engine, { source, user, origin: originOf(caller, 'push') }, to =>
      pushObjects(engine, { ...to, objects: objects ?? data ?? {} }),
    ),
  fastUpdate: (engine, { parameters: { source_name: source }, body: { user_id: user, delete_data, data }, caller }) =>
    writeObjects(engine, { source, user, origin: originOf(caller, 'push') }, to =>
      fastUpdate(engine, { ...to, before: delete_data, after: data }),
    ),
  fastDelete: (engine, { parameters: { source_name: source }, body: { user_id: user, data }, caller }) =>
    writeObjects(engine, { source, user, origin: originOf(caller, 'push') }, to => fastDelete(engine, { ...to, data })),
}
