import type { ObjectId } from '@godwit/protocol'
import { type NotificationHandler, Notifications } from '../sync/notifications.js'
import { type ObjectNotificationHandler, ObjectNotifications } from '../sync/object-notifications.js'
import type { SdkLifetime } from './sdk-lifetime.js'

/** The app's functions that are called about syncs. */
export class SyncListeners {
  readonly #lifetime: SdkLifetime<unknown>
  readonly #notifications: Notifications
  readonly #objects: ObjectNotifications

  constructor(lifetime: SdkLifetime<unknown>) {
    this.#lifetime = lifetime
    const { parts } = lifetime
    this.#notifications = new Notifications(error => parts.registry.live.callbacks.threw(error))
    this.#objects = new ObjectNotifications((source, object) => parts.device.idOf(source, object))
    parts.events.listen(event => {
      this.#notifications.tell(event)
      this.#objects.tell(event)
    })
  }

  set(source: string, handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  clear(source: string): void {
    this.#notifications.clear(source)
  }

  setForObjects(handler: ObjectNotificationHandler): void {
    this.#lifetime.parts.settings.watchesObjects = true
    this.#objects.set(handler)
  }

  clearForObjects(): void {
    this.#lifetime.parts.settings.watchesObjects = false
    this.#objects.set(undefined)
  }

  add(source: string, object: ObjectId): void {
    this.#objects.add(source, object)
  }

  remove(source: string, object: ObjectId): void {
    this.#objects.remove(source, object)
  }
}
