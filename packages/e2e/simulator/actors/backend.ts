import type { Attributes } from '@godwit/protocol'
import { type Conflict, defineSource, type Source, type SourceDefinition } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import { BackendCalls, type Effect, TIMEOUT } from './backend-calls.js'
import type { BackendEnvironment } from './backend-environment.js'
import { BackendLog } from './backend-log.js'
import { BackendObjects } from './backend-objects.js'
import { BackendPhotos } from './backend-photos.js'
import { BackendQueries } from './backend-queries.js'
import { BackendReads } from './backend-reads.js'

/** The backend of one source: its objects by partition, and the changes it performed for devices. */
export class Backend {
  readonly plan: SourcePlan
  readonly queries: BackendQueries
  readonly photos: BackendPhotos
  readonly #objects: BackendObjects
  readonly calls: BackendCalls
  readonly #log = new BackendLog()
  readonly #reads: BackendReads
  /** The last changes of people, with what was there before: a failover may lose them. */
  readonly #tail: { readonly partition: string; readonly id: string; readonly before: Attributes | undefined }[] = []
  /** Running pushes to the server, by partition. Without polling, other changes of the partition wait for them. */
  readonly #telling = new Map<string, Promise<void>>()

  readonly #teamOf: (login: string) => string | undefined

  constructor(
    plan: SourcePlan,
    environment: BackendEnvironment,
    teamOf: (login: string) => string | undefined = () => undefined,
  ) {
    this.plan = plan
    this.#teamOf = teamOf
    this.#objects = new BackendObjects(plan, environment, this.#log)
    this.#reads = new BackendReads({ plan, environment, objects: this.#objects, log: this.#log })
    this.photos = new BackendPhotos({ plan, environment })
    this.queries = new BackendQueries({ plan, environment, objects: this.#objects, photos: this.photos })
    const isTelling = (partition: string): boolean => this.#telling.has(partition)
    this.calls = new BackendCalls({ plan, environment, objects: this.#objects, photos: this.photos, isTelling })
  }

  get effects(): readonly Effect[] {
    return this.calls.effects
  }

  objects(partition: string): ReadonlyMap<string, Attributes> {
    return this.#objects.of(partition)
  }

  /** Returns the number of changes of the partition. */
  changes(partition: string): number {
    return this.#objects.changes(partition)
  }

  partitions(): readonly string[] {
    return this.#objects.partitions()
  }

  /** Returns the objects that only searches find. */
  more(partition: string): ReadonlyMap<string, Attributes> {
    return this.#objects.more(partition)
  }

  writeMore(partition: string, id: string, attributes: Attributes | null): void {
    this.#objects.writeMore(partition, id, attributes && this.#objects.normal(attributes))
  }

  /** Returns all states of an object that only searches find; undefined for other objects. */
  statesOfMore(id: string): readonly (Attributes | null)[] | undefined {
    return this.#objects.statesOfMore(id)
  }

  /** The backend's own change; `null` removes the object. */
  write(partition: string, id: string, attributes: Attributes | null): void {
    this.#tail.push({ partition, id, before: this.#objects.of(partition).get(id) })
    this.#objects.write(partition, id, attributes)
  }

  /** Restores the database, or fails over to a replica: `lost` of the last changes of people are lost, unless devices changed these objects. */
  restore(lost: number): void {
    this.#log.restore(() => {
      for (const { partition, id, before } of this.#tail.splice(-lost, lost).reverse())
        if (!this.effects.some(({ object }) => object === id)) this.#objects.putBack(partition, id, before)
    })
  }

  /** True if the backend has performed, or may still perform, a change that the server does not know of. */
  isBusy(partition: string): boolean {
    return this.#telling.has(partition) || this.calls.isBusy(partition)
  }

  /** True if the backend performed a change whose call no server will repeat. */
  isUnheard(partition: string): boolean {
    return this.calls.isUnheard(partition)
  }

  /** Marks running calls as forgotten by the servers. */
  forgetCalls(): void {
    this.calls.forget()
  }

  /** Returns the id of a removed object, to recreate it; undefined if there is none. */
  formerId(partition: string): string | undefined {
    return this.#objects.formerId(partition)
  }

  newId(): string {
    return this.#objects.newId()
  }

  /** Runs a push of a partition's changes after earlier pushes of it, and blocks other changes of the partition meanwhile. */
  async telling(partition: string, run: () => Promise<void>): Promise<void> {
    const before = this.#telling.get(partition) ?? Promise.resolve()
    const reported = before.then(run)
    const over = reported.catch(() => {})
    this.#telling.set(partition, over)
    await reported.finally(() => this.#telling.get(partition) === over && this.#telling.delete(partition))
  }

  #readMethods(): Pick<SourceDefinition<Attributes>, 'query' | 'get' | 'changes' | 'feed' | 'reconcileInterval'> {
    const { reads, hasGet, streams, reconciles } = this.plan
    return {
      ...((reads !== 'changes' || reconciles === true) && {
        query: context => (streams ? this.queries.parts(context) : this.queries.whole(context)),
      }),
      ...(reconciles === true && { reconcileInterval: 60 }),
      ...(hasGet === true && { get: (ids, context) => this.#reads.get(ids, context) }),
      ...(reads === 'changes' && { changes: context => this.#reads.changes(context) }),
      ...(reads === 'feed' && { feed: this.#reads.feed() }),
    }
  }

  /** The source as a backend developer would write it. */
  source(): Source<Attributes> {
    const { name, partition, pollInterval, idempotent, conflict, settle, passThrough, belongsTo, queue } = this.plan
    return defineSource<Attributes>({
      name,
      partition,
      pollInterval,
      idempotent,
      settle,
      passThrough,
      belongsTo,
      queue,
      ...(this.plan.isOfTeams === true && { partitionName: (login: string) => this.#teamOf(login) ?? login }),
      ...(this.plan.bulkOnly === true && { syncType: 'bulk_only' }),
      conflict: conflict === 'resolve' ? 'client-wins' : conflict,
      ...(conflict === 'resolve' && { resolve }),
      timeout: TIMEOUT / 1000,
      queryTimeout: 20,
      ...this.#readMethods(),
      create: (attributes, context) => this.calls.call('create', undefined, attributes, context),
      update: (id, changes, context) => this.calls.call('update', id, changes as Attributes, context),
      ...(this.plan.hasMore === true && { search: (_, context) => this.queries.search(context) }),
      ...(this.plan.photos === true && { storeBlob: (blob, context) => this.photos.store(blob, context) }),
      delete: async (id, context) => void (await this.calls.call('delete', id, {}, context)),
    })
  }
}

/** Resolves a conflict: the server's values, with the device's `a`. */
function resolve({ theirs, mine }: Conflict<Attributes>): Attributes | undefined {
  const a = mine?.['a']
  return theirs === undefined || a === undefined || a === null ? theirs : { ...theirs, a }
}
