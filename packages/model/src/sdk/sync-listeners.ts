import type { ObjectId } from '@godwit/protocol'
import type { SdkEvent } from '../sync/events.js'
import { type NotificationHandler, Notifications } from '../sync/notifications.js'
import { type ObjectNotificationHandler, ObjectNotifications } from '../sync/object-notifications.js'
import type { NameOf, SdkParts } from './parts.js'
import { Syncs } from './syncs.js'

/** What an app hears of syncs. */
export abstract class Hearing<Ms> extends Syncs<Ms> {
  readonly #notifications: Notifications
  readonly #objects: ObjectNotifications

  constructor(parts: SdkParts<Ms>) {
    super(parts)
    this.#notifications = new Notifications(error => parts.registry.live.callbacks.threw(error))
    this.#objects = new ObjectNotifications((source, object) => parts.device.idOf(source, object))
    parts.events.listen(event => {
      this.#notifications.tell(event)
      this.#objects.tell(event)
    })
  }

  /** `for await (const event of sdk.events())`: what happens from now on, until the loop is left or the SDK is closed. */
  events(): AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void> {
    return this.parts.events.all() as AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void>
  }

  /** Hears of the syncs of one source, or of all with `*`. */
  setNotification(source: string, handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  clearNotification(source: string): void {
    this.#notifications.clear(source)
  }

  /** Hears which objects syncs bring, change and remove: those asked for with addObjectNotify; without any, all. */
  setObjectNotification(handler: ObjectNotificationHandler): void {
    this.parts.settings.watchesObjects = true
    this.#objects.set(handler)
  }

  clearObjectNotification(): void {
    this.parts.settings.watchesObjects = false
    this.#objects.set(undefined)
  }

  /** Asks about one object of a source. */
  addObjectNotify(source: string, object: ObjectId): void {
    this.#objects.add(source, object)
  }

  removeObjectNotify(source: string, object: ObjectId): void {
    this.#objects.remove(source, object)
  }
}
