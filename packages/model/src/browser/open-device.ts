import { type ErrorCode, isSyncError, SyncError } from '@godwit/protocol'
import type { BlobRef } from '../definition/attribute-types.js'
import { type RemoteLink, type RemoteOptions, remoteLink } from '../remote/device.js'
import { errorEvent } from '../remote/errors.js'
import { PLATFORM } from '../remote/methods.js'
import type { RemoteDevice } from '../remote/remote-device.js'
import type { Models } from '../typed/infer.js'
import { channelPort } from './channel-port.js'
import { type ChannelMessage, lockOf, OWNER, type OwnerMessage, pageLockOf, WORKER } from './messages.js'
import { Owner, silentOwnerError } from './owner.js'
import { readCookie, writeCookie } from './storage-cookie.js'
import { missingCapability } from './support.js'

/** Which device a page of a browser opens, and where it syncs. */
export interface DeviceOptions<Ms, A> extends Omit<RemoteOptions<Ms, A>, 'page' | 'timers' | 'clock'> {
  /** What the device is called within the origin: pages with the same name share it. */
  readonly name: string
  /** The sync server: an address, or a path on the page's own. Default: none, for models that do not sync. */
  readonly server?: string
  /** Starts the worker that calls `serveDevice`: `() => new Worker(new URL('./godwit.worker.ts', import.meta.url), { type: 'module' })`. */
  readonly worker: () => Worker
  /** Fails where data cannot be kept on disk, rather than keep it in memory. Default: false. */
  readonly requireStorage?: boolean
}

/** The device of a page, in a worker of this page or of another one of the same origin. */
export interface BrowserDevice<Ms, A = Record<never, never>> extends RemoteDevice<Ms, A> {
  /** An address that shows a blob of this device; undefined where its bytes are not here yet. Give it back by `URL.revokeObjectURL`; closing the device gives back all. */
  blobUrl(blob: BlobRef): Promise<string | undefined>
}

/** Opens the device that this page shares with the others of its origin. */
export function openDevice<const Ms extends Models<Ms>, A = Record<never, never>>(
  options: DeviceOptions<Ms, A>,
): BrowserDevice<Ms, A> {
  const link = remoteLink<Ms, A>(options)
  link.tell({ role: 'opening' })
  const urls = new Set<string>()
  const close = startPage(link, options)
  return {
    ...link.device,
    async blobUrl({ hash }) {
      const blob = await link.ask({ kind: 'read', on: PLATFORM, method: 'blob', args: [hash] })
      if (!(blob instanceof Blob)) return undefined
      const url = URL.createObjectURL(blob)
      urls.add(url)
      return url
    },
    close() {
      link.device.close()
      for (const url of urls) URL.revokeObjectURL(url)
      close()
    },
  }
}

/** Returns what ends this page's part. Where nothing is to be had, as on a server that renders pages, calls wait. */
function startPage<Ms extends Models<Ms>, A>(link: RemoteLink<Ms, A>, options: DeviceOptions<Ms, A>): () => void {
  if (typeof document === 'undefined') return () => {}
  const lack = missingCapability()
  if (lack !== undefined && (options.requireStorage || typeof Worker === 'undefined')) {
    link.fail(noStorageError(lack))
    return () => {}
  }
  warnOfLoss(link, options.name)
  return lack === undefined ? openShared(link, options) : openInMemory(link, options, lack)
}

const noStorageError = (reason: string): SyncError =>
  new SyncError('database_failed', `This page cannot keep data on this device: ${reason}.`)

type LinkOptions = Pick<DeviceOptions<unknown, unknown>, 'name' | 'server' | 'worker' | 'requireStorage'>
/** A link, whatever its models. */
interface DeviceLink
  extends Pick<RemoteLink<unknown>, 'attach' | 'detach' | 'fail' | 'check' | 'tell' | 'emit' | 'page' | 'generation'> {
  readonly device: Pick<RemoteDevice<unknown>, 'status'>
}

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
        link.tell({ role: 'owner' })
        link.attach(worker)
      },
      opened(had, isNew) {
        if (isNew && had === 'opfs' && before) reportLoss(link, before)
        if (had === storage) return
        const reason = 'this browser refuses to keep files, as in private windows'
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
  reportError(
    link,
    'storage_lost',
    `The browser removed this device with ${waiting} unsent changes (client ${client}).`,
  )
}

function reportError(link: DeviceLink, code: ErrorCode, message: string): void {
  link.emit(errorEvent({ code, message }))
}

function reportMemory(link: DeviceLink, reason: string): void {
  link.tell({ storage: 'memory', durable: false })
  reportError(link, 'database_failed', `Data is kept in memory and gone with this page: ${reason}.`)
}

/** A device of this page alone, in memory. */
function openInMemory(link: DeviceLink, options: LinkOptions, lack: string): () => void {
  const owner = ownerOf(link, options, 'memory')
  // After the app had its turn to listen.
  setTimeout(() => reportMemory(link, lack))
  owner.run().catch((error: unknown) => fail(link, error))
  return () => owner.end()
}

function fail(link: DeviceLink, error: unknown): void {
  link.fail(isSyncError(error) ? error : new SyncError('internal', String(error), { cause: error }))
}

/** A device that pages share: who has the lock has the worker, the others speak with that over a channel. */
function openShared(link: DeviceLink, options: LinkOptions): () => void {
  const { name } = options
  const channel = new BroadcastChannel(lockOf(name))
  const port = channelPort(channel, { own: link.page, other: WORKER })
  const toOwner = channelPort(channel, { own: link.page, other: OWNER })
  let end: (() => void) | undefined
  let isEnded = false
  let ready: Worker | undefined
  /** Its script and SQLite are there before its turn comes: a reload waits for locks meanwhile, a hand-over for neither, and a deploy in between takes neither away. */
  const prepare = (): void => {
    ready ??= options.worker()
    // The owner starts another one, and tells what it fails with.
    ready.onerror = () => {
      ready = undefined
    }
  }
  const worker = (): Worker => {
    const made = ready ?? options.worker()
    ready = undefined
    return made
  }
  let waiting = new AbortController()
  let owner: Owner | undefined
  let isKnown = false

  const beGuest = (): void => {
    if (isEnded) return
    prepare()
    link.attach(port)
    waiting = new AbortController()
    const { signal } = waiting
    navigator.locks.request(lockOf(name), { signal }, () => beOwner(signal)).catch(() => {})
  }
  const beOwner = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    owner = ownerOf(link, { ...options, worker }, 'opfs')
    try {
      await owner.run()
      // Another page may have asked for it: it is that one's turn.
      setTimeout(() => (waiting.signal === signal || waiting.signal.aborted) && beGuest())
    } catch (error) {
      fail(link, error)
    } finally {
      owner = undefined
      link.tell({ role: 'guest' })
    }
  }
  /** At once, as nothing runs any more when the page is frozen. */
  const leave = (): void => {
    waiting.abort()
    if (owner) owner.end()
    else link.detach()
  }
  const back = (): void => {
    if (isKnown && owner === undefined && waiting.signal.aborted) beGuest()
  }
  /** A worker that finds the page's lock free takes the page for gone: no message is sent before it is held. */
  const join = (): void => {
    const joined = (resolve: () => void): void => {
      end = resolve
      if (!isKnown && !waiting.signal.aborted) beGuest()
      isKnown = true
      if (isEnded) end()
    }
    navigator.locks
      .request(pageLockOf(name, link.page), () => new Promise<void>(joined))
      .catch((error: unknown) => {
        // Another script took it by force.
        if (isKnown && (error as Error).name === 'AbortError') join()
        else fail(link, error)
      })
  }
  const hear = ({ data }: MessageEvent<ChannelMessage>): void => {
    if (data.to === OWNER && document.hidden) owner?.letGo()
  }
  link.device.status.subscribe(() => {
    const { connected, role } = link.device.status.current()
    if (connected && role === 'opening') link.tell({ role: 'guest' })
  })
  const look = setInterval(() => {
    if (owner || link.device.status.current().busy || document.hidden) return
    if (link.generation === undefined) toOwner.postMessage(OWNER_WANTED)
    link.check(silentOwnerError)
  }, CHECK_INTERVAL)
  channel.addEventListener('message', hear)
  const listening = new AbortController()
  addEventListener('pagehide', leave, listening)
  addEventListener('pageshow', back, listening)
  document.addEventListener('freeze', leave, listening)
  document.addEventListener('resume', back, listening)
  prepare()
  join()
  return () => {
    ready?.terminate()
    clearInterval(look)
    isEnded = true
    end?.()
    leave()
    listening.abort()
    channel.close()
  }
}

/** A visible page has no answer: a hidden owner lets go. */
const OWNER_WANTED = 'wanted'
const CHECK_INTERVAL = 1000

/** Asks the browser to keep what was written, and the user to stay where it cannot. */
function warnOfLoss({ device, tell }: Pick<DeviceLink, 'device' | 'tell'>, name: string): void {
  let isAsked = false
  device.status.subscribe(() => {
    const { waiting, durable, role, clientId } = device.status.current()
    if (!durable) return
    if (role === 'owner') writeCookie(name, `${waiting}.${clientId}`)
    if (waiting === 0 || isAsked) return
    isAsked = true
    void navigator.storage?.persist?.().then(isKept => {
      if (isKept) tell({ storage: 'persistent' })
    })
  })
  addEventListener('beforeunload', event => {
    const { waiting, durable } = device.status.current()
    if (durable === false && waiting > 0) event.preventDefault()
  })
}
