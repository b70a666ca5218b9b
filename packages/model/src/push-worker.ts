/** How push messages are shown. */
export interface PushWorkerOptions {
  /** The title of notifications, mostly the name of the app. Default: the text of the message. */
  readonly title?: string
  /** The text of a message that has none. Default `There is news.` */
  readonly text?: string
  /** The URL of an image, relative to the worker. Default: the browser's. */
  readonly icon?: string
  /** The URL that a click opens, relative to the worker, unless a page of the app is open. Default `./`. */
  readonly url?: string
}

/** The global scope of a service worker; `self` fits. */
export interface PushWorkerScope {
  // biome-ignore lint/suspicious/noExplicitAny: the listeners of a worker's scope are overloaded by the name of the event
  addEventListener(type: string, listener: (event: any) => void): void
}

/**
 * Shows the push messages of a Godwit server in a service worker, and opens the app when one is clicked. Every message is shown, also one that only
 * asks for a sync, since browsers end the subscription of an app that shows nothing. Refers to nothing outside itself: a build may write its text.
 *
 * @example
 * import { pushWorker } from '@godwit/model/push-worker'
 * pushWorker(self, { title: 'Field Visits', icon: './icon-192.png' })
 */
export function pushWorker(scope: PushWorkerScope, options: PushWorkerOptions = {}): void {
  const { title, text = 'There is news.', icon, url = './' } = options
  const worker = scope as unknown as WorkerScope
  const TAG = 'godwit'

  scope.addEventListener('push', (event: PushEventLike) => event.waitUntil(receive(event)))
  scope.addEventListener('notificationclick', (event: ClickEventLike) => event.waitUntil(open(event)))
  scope.addEventListener('pushsubscriptionchange', (event: ChangeEventLike) => event.waitUntil(subscribeAgain(event)))

  async function receive(event: PushEventLike): Promise<void> {
    const ping = pingOf(event)
    const body = typeof ping['message'] === 'string' ? ping['message'] : text
    const { vibrate } = ping
    await Promise.all([
      worker.registration.showNotification(title ?? body, {
        ...(title !== undefined && { body: body }),
        ...(icon !== undefined && { icon: new URL(icon, worker.location.href).href }),
        ...(typeof vibrate === 'number' && vibrate > 0 && { vibrate: [Math.min(vibrate, 10) * 1000] }),
        // One that only asks for a sync replaces the last of its kind.
        ...(typeof ping['message'] !== 'string' && { tag: TAG }),
        data: ping,
      }),
      showBadge(ping['badge']),
      postToPages(ping),
    ])
  }

  /** A message of another sender may be no JSON. */
  function pingOf({ data }: PushEventLike): { readonly [name: string]: unknown } {
    try {
      const ping: unknown = data?.json()
      return typeof ping === 'object' && ping !== null ? (ping as { readonly [name: string]: unknown }) : {}
    } catch {
      return {}
    }
  }

  async function showBadge(badge: unknown): Promise<void> {
    const number = typeof badge === 'string' && /^\d{1,9}$/.test(badge) ? Number(badge) : badge
    const { navigator } = worker
    if (typeof number !== 'number' || !navigator.setAppBadge) return
    await navigator.setAppBadge(number).catch(() => undefined)
  }

  const pages = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true })

  async function postToPages(ping: object): Promise<void> {
    for (const page of await pages()) page.postMessage({ godwit: 'push', ping })
  }

  async function open({ notification }: ClickEventLike): Promise<void> {
    notification.close()
    const [page] = await pages()
    if (!page) return void (await worker.clients.openWindow(new URL(url, worker.location.href).href))
    page.postMessage({ godwit: 'opened', ping: notification.data })
    await page.focus()
  }

  /** The app registers the new subscription when it is opened: `renewPush`. */
  async function subscribeAgain({ oldSubscription: former }: ChangeEventLike): Promise<void> {
    if (former) await worker.registration.pushManager.subscribe(former.options)
  }
}

interface ExtendableEventLike {
  waitUntil(promise: Promise<unknown>): void
}

interface PushEventLike extends ExtendableEventLike {
  readonly data: { json(): unknown } | null
}

interface ClickEventLike extends ExtendableEventLike {
  readonly notification: Notification
}

interface ChangeEventLike extends ExtendableEventLike {
  readonly oldSubscription?: PushSubscription | null
}

/** The members of a service worker's scope that are used here. The types of workers exclude those of pages. */
interface WorkerScope {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly navigator: { readonly setAppBadge?: (count: number) => Promise<void> }
  readonly clients: {
    matchAll(options: object): Promise<readonly { postMessage(message: unknown): void; focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
}
