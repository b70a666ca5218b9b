import { isSyncError, SyncError } from '@godwit/protocol'
import type { BlobRef } from '../definition/attribute-types.js'
import { errorEvent } from '../remote/error-values.js'
import { PLATFORM_TARGET } from '../remote/methods.js'
import type { RemoteDevice } from '../remote/remote-device.js'
import { type RemoteLink, type RemoteOptions, remoteLink } from '../remote/remote-link.js'
import type { Models } from '../typed/infer.js'
import { channelPort } from './channel-port.js'
import { type ChannelMessage, lockOf, OWNER, type OwnerMessage, pageLockOf, WORKER } from './messages.js'
import { Owner, silentOwnerError } from './owner.js'
import { pageCredentials } from './page-credentials.js'
import { readCookie, writeCookie } from './storage-cookie.js'
import { missingCapability } from './support.js'

/** Options of the device of a browser page. */
export interface DeviceOptions<Ms, A> extends Omit<RemoteOptions<Ms, A>, 'page' | 'timers' | 'clock' | 'wrote'> {
  /** The device's name within the origin. Pages with the same name share it. */
  readonly name: string
  /** The sync server: a URL, or a path on the page's origin. Default: none, for models that do not sync. */
  readonly server?: string
  /**
   * Returns a token of the app's identity provider: `() => auth.getAccessToken()`. The page that owns the device is asked by `login()`, before the session
   * ends, and after the server has ended it. Undefined: the user has to sign in again.
   */
  readonly credentials?: () => Promise<string | undefined> | string | undefined
  /** Starts the worker that calls `serveDevice`: `() => new Worker(new URL('./godwit.worker.ts', import.meta.url), { type: 'module' })`. */
  readonly worker: () => Worker
  /** Makes every call fail if data cannot be stored on disk. Default: false, which stores it in memory. */
  readonly requireStorage?: boolean
}

/** The device of a page. Its engine runs in a worker of this page or of another page of the origin. */
export interface BrowserDevice<Ms, A = Record<never, never>> extends RemoteDevice<Ms, A> {
  /** Returns a URL for a blob of this device; undefined if its file is not available yet. Release it by `URL.revokeObjectURL`. */
  blobUrl(blob: BlobRef): Promise<string | undefined>
}

/** Opens the device that this page shares with other pages of its origin. */
export function openDevice<const Ms extends Models<Ms>, A = Record<never, never>>(
  options: DeviceOptions<Ms, A>,
): BrowserDevice<Ms, A> {
  let isPersistenceRequested = false
  const wrote = (): void => {
    if (!isPersistenceRequested) isPersistenceRequested = requestPersistence(link)
  }
  const link = remoteLink<Ms, A>({ ...options, wrote })
  link.updateStatus({ role: 'opening' })
  const close = startPage(link, options)
  return {
    ...link.device,
    ...(options.credentials && { login: pageCredentials(link.device, options.credentials) }),
    async blobUrl({ hash }) {
      const blob = await link.call({ kind: 'read', on: PLATFORM_TARGET, method: 'blob', args: [hash] })
      return blob instanceof Blob ? URL.createObjectURL(blob) : undefined
    },
    close() {
      link.device.close()
      close()
    },
  }
}

/** Returns the function that ends this page's part. Without a browser, as in server rendering, calls wait forever. */
function startPage<Ms extends Models<Ms>, A>(link: RemoteLink<Ms, A>, options: DeviceOptions<Ms, A>): () => void {
  if (typeof document === 'undefined') return () => {}
  const lack = missingCapability()
  if (lack !== undefined && (options.requireStorage || typeof Worker === 'undefined')) {
    link.fail(noStorageError(lack))
    return () => {}
  }
  const open = new AbortController()
  watchStatus(link, options.name, open)
  const end = lack === undefined ? openShared(link, options, open) : openInMemory(link, options, lack)
  return () => {
    open.abort()
    end()
  }
}

const noStorageError = (reason: string): SyncError =>
  new SyncError('database_failed', `This page cannot store data on this device: ${reason}.`)

type LinkOptions = Pick<DeviceOptions<unknown, unknown>, 'name' | 'server' | 'worker' | 'requireStorage'>
/** A link of any models. */
interface DeviceLink
  extends Pick<
    RemoteLink<unknown>,
    'attach' | 'detach' | 'fail' | 'check' | 'updateStatus' | 'emit' | 'page' | 'generation'
  > {
  readonly device: Pick<RemoteDevice<unknown>, 'status'>
}
type DeviceStatusLink = Pick<DeviceLink, 'device' | 'updateStatus'>

function ownerOf(
  link: DeviceLink,
  { name, server, worker, requireStorage }: LinkOptions,
  storage: 'opfs' | 'memory',
): Owner {
  const open: OwnerMessage & { readonly owner: 'open' } = {
    owner: 'open',
    name,
    storage,
    server: server === undefined ? undefined : new URL(server, location.href).href,
  }
  const before = readCookie(name)
  return new Owner({
    worker,
    open,
    events: {
      started(worker) {
        link.updateStatus({ role: 'owner' })
        link.attach(worker)
      },
      opened(had, isNew) {
        if (isNew && had === 'opfs' && before) reportLoss(link, before)
        if (had === storage) return
        const reason = 'this browser refuses to store files, as in private windows'
        if (requireStorage) link.fail(noStorageError(reason))
        else reportMemory(link, reason)
      },
      stopped: () => link.detach(),
      isBusy: () => link.device.status.current().busy,
    },
  })
}

function reportLoss(link: DeviceLink, cookie: string): void {
  const [waiting, client] = cookie.split('.')
  const message = `The browser removed this device with ${waiting} unsent changes (client ${client}).`
  link.emit(errorEvent({ code: 'storage_lost', message }))
}

function reportMemory(link: DeviceLink, reason: string): void {
  link.updateStatus({ storage: 'memory', durable: false })
  link.emit(
    errorEvent({
      code: 'database_failed',
      message: `Data is stored in memory only and is lost when this page closes: ${reason}.`,
    }),
  )
}

/** Opens a device for this page alone, in memory. */
function openInMemory(link: DeviceLink, options: LinkOptions, lack: string): () => void {
  const owner = ownerOf(link, options, 'memory')
  // Deferred so that the app can add its listeners first.
  setTimeout(() => reportMemory(link, lack))
  owner.run().catch((error: unknown) => fail(link, error))
  return () => owner.end()
}

function fail(link: DeviceLink, error: unknown): void {
  link.fail(isSyncError(error) ? error : new SyncError('internal', String(error), { cause: error }))
}

/** Opens a device that pages share: the page with the lock runs the worker, others reach it over a channel. */
function openShared(link: DeviceLink, options: LinkOptions, open: AbortController): () => void {
  const { name } = options
  const channel = new BroadcastChannel(lockOf(name))
  const port = channelPort(channel, { own: link.page, other: WORKER })
  const toOwner = channelPort(channel, { own: link.page, other: OWNER })
  let end: (() => void) | undefined
  let ready: Worker | undefined
  /** Loads the worker before this page gets the lock, so that a reload or hand-over does not wait for it, nor for a deployment that removed its files. */
  const prepare = (): Worker => {
    ready ??= options.worker()
    // The owner starts another worker and reports its error.
    ready.onerror = takeReady
    return ready
  }
  const takeReady = (): void => {
    ready = undefined
  }
  const worker = (): Worker => {
    const made = prepare()
    takeReady()
    return made
  }
  let waiting = new AbortController()
  let owner: Owner | undefined
  let isKnown = false

  const becomeGuest = (): void => {
    if (open.signal.aborted) return
    prepare()
    link.attach(port)
    waiting = new AbortController()
    const { signal } = waiting
    navigator.locks.request(lockOf(name), { signal }, () => becomeOwner(signal)).catch(() => {})
  }
  const becomeOwner = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    owner = ownerOf(link, { ...options, worker }, 'opfs')
    try {
      await owner.run()
      // Another page may have requested the lock: it goes first.
      setTimeout(() => (waiting.signal === signal || waiting.signal.aborted) && becomeGuest())
    } catch (error) {
      fail(link, error)
    } finally {
      owner = undefined
      link.updateStatus({ role: 'guest' })
    }
  }
  /** Runs synchronously, since nothing runs once the page is frozen. */
  const leave = (): void => {
    waiting.abort()
    if (owner) owner.end()
    else link.detach()
  }
  const back = (): void => {
    if (isKnown && owner === undefined && waiting.signal.aborted) becomeGuest()
  }
  /** Takes the page's lock before its first message: a worker that finds the lock free considers the page closed. */
  const join = (): void => {
    const joined = (resolve: () => void): void => {
      end = resolve
      if (!isKnown && !waiting.signal.aborted) becomeGuest()
      isKnown = true
      if (open.signal.aborted) end()
    }
    navigator.locks
      .request(pageLockOf(name, link.page), () => new Promise<void>(joined))
      .catch((error: unknown) => {
        // Another script stole the lock.
        if (isKnown && (error as Error).name === 'AbortError') join()
        else fail(link, error)
      })
  }
  const hear = ({ data }: MessageEvent<ChannelMessage>): void => {
    if (data.to === OWNER && document.hidden) owner?.letGo()
  }
  const look = setInterval(() => {
    if (owner || link.device.status.current().busy || document.hidden) return
    if (link.generation === undefined) toOwner.postMessage(OWNER_WANTED)
    link.check(silentOwnerError)
  }, CHECK_INTERVAL_MS)
  channel.addEventListener('message', hear)
  addEventListener('pagehide', leave, open)
  addEventListener('pageshow', back, open)
  document.addEventListener('freeze', leave, open)
  document.addEventListener('resume', back, open)
  prepare()
  join()
  return () => {
    ready?.terminate()
    clearInterval(look)
    end?.()
    leave()
    channel.close()
  }
}

/** Sent by a visible page that gets no answer; a hidden owner then releases the device. */
const OWNER_WANTED = 0
const CHECK_INTERVAL_MS = 1000

/** Asks the browser for persistent storage and returns true, if data is stored on disk. */
function requestPersistence({ device, updateStatus }: DeviceStatusLink): boolean {
  const { durable = false } = device.status.current()
  if (durable)
    void navigator.storage.persist().then(isKept => {
      if (isKept) updateStatus({ storage: 'persistent' })
    })
  return durable
}

/** Notes in a cookie how many changes wait and, if data is in memory, warns the user before the page closes with unsent ones. */
function watchStatus({ device, updateStatus }: DeviceStatusLink, name: string, open: AbortController): void {
  device.status.subscribe(() => {
    const { connected, waiting, durable, role, clientId } = device.status.current()
    if (connected && role === 'opening') updateStatus({ role: 'guest' })
    if (durable && role === 'owner') writeCookie(name, `${waiting}.${clientId}`)
  })
  addEventListener(
    'beforeunload',
    event => {
      const { waiting, durable } = device.status.current()
      if (durable === false && waiting > 0) event.preventDefault()
    },
    open,
  )
}
