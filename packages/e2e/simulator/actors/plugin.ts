import type { ObjectMap } from '@godwit/protocol'
import type { SimulatedWorld } from '../world/world.js'
import { request } from './administrator.js'
import type { Backend } from './backend.js'

const NAMES = ['mark', 'a', 'b', 'c', 'owner', 'parent']

/** Pushes the current state of objects until the server confirms it. Not for pass-through sources, which accept no pushes. */
export async function pushStates(
  world: SimulatedWorld,
  backend: Backend,
  partition: string,
  ids: readonly string[],
): Promise<void> {
  if (backend.plan.passThrough) return
  const objects: Record<string, ObjectMap[string]> = {}
  const gone: string[] = []
  const present = backend.objects(partition)
  for (const id of ids) {
    const attributes = present.get(id)
    if (attributes) objects[id] = { ...Object.fromEntries(NAMES.map(name => [name, null])), ...attributes }
    else gone.push(id)
  }
  if (world.plan.theme === 'administration' && Object.keys(objects).length > 0 && world.dice.chance(0.5)) {
    // An administrator's write to the collection's document has the same effect.
    const path = `/rc/v1/users/${partition}/sources/${backend.plan.name}/docs/md`
    await request(world, { method: 'POST', path, body: { data: objects, append: true } })
  } else if (Object.keys(objects).length > 0)
    await call(world, backend, 'push_objects', { user_id: partition, objects })
  if (gone.length > 0) await call(world, backend, 'push_deletes', { user_id: partition, objects: gone })
}

async function call(world: SimulatedWorld, { plan }: Backend, route: string, body: object): Promise<void> {
  for (;;) {
    await world.scheduler.delay(`plugin: ${route} of ${plan.name}`)
    const request = new Request(`http://sync.test/app/v1/${plan.name}/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sync-api-token': world.servers.token },
      body: JSON.stringify(body),
    })
    const answer = await world.servers.fetch(request, world.dice).catch(() => undefined)
    if (world.dice.chance(world.troubles.lost)) continue
    if (answer?.status === 200) return
    if (answer && answer.status < 500) throw new Error(`the plugin was answered ${answer.status} ${answer.text}`)
  }
}
