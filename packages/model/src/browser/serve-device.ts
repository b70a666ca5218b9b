import { openSdkOn } from '../open-sdk.js'
import type { Actions } from '../remote/actions.js'
import { toWire } from '../remote/errors.js'
import { type DeviceHost, hostDevice } from '../remote/host.js'
import type { HostMessage, HostStatus, PageMessage } from '../remote/protocol.js'
import type { Sdk } from '../sdk.js'
import type { Models } from '../typed/infer.js'
import type { CheckedModels } from '../typed/models.js'
import { browserFetch } from './browser-fetch.js'
import { channelPort } from './channel-port.js'
import {
  ALL_PAGES,
  type ChannelMessage,
  filesLockOf,
  lockOf,
  type OwnerMessage,
  pageLockOf,
  WORKER,
  type WorkerMessage,
} from './messages.js'
import { type BrowserStorage, openStorage, type StorageOptions } from './open-storage.js'
import { keepsFiles } from './opfs.js'
import { openFolders } from './opfs-files.js'
import { loadSqlite3, type Sqlite3 } from './sqlite3.js'

/** The models and actions of the device that a worker serves to its pages. */
export interface ServeOptions<Ms, A extends Actions<Ms>> {
  readonly models: CheckedModels<Ms>
  /** What `defineActions` gave. */
  readonly actions?: A
  /** Which release of the app this is; higher is newer. Default: the sum of the models' `schemaVersion`. */
  readonly release?: number
  /** The address of `sqlite3.wasm`. Default: where the bundler put it. */
  readonly wasm?: string | URL
  /** Called with each device that is opened here, before any page is served: for handlers of refusals and settings. */
  readonly opened?: (sdk: Sdk<Ms>) => void
}

/** The part of a dedicated worker's scope that is used. */
interface Scope {
  postMessage(message: unknown): void
  addEventListener(type: 'message', hear: (event: { readonly data: OwnerMessage }) => void): void
  addEventListener(type: 'error', hear: (event: { readonly error: unknown }) => void): void
  addEventListener(type: 'unhandledrejection', hear: (event: { readonly reason: unknown }) => void): void
}

/** Serves the device of a page, and of the other pages of its origin, from the worker that calls it. */
export function serveDevice<const Ms extends Models<Ms>, const A extends Actions<Ms> = Record<never, never>>(
  options: ServeOptions<Ms, A>,
): void {
  const scope = globalThis as unknown as Scope
  // A worker that waits for its turn has it ready.
  const loading = loadSqlite3(options.wasm)
  loading.catch(() => {})
  const tell = (message: WorkerMessage): void => scope.postMessage(message)
  let host: DeviceHost | undefined
  let opened: BrowserStorage | undefined
  const tellStorage = async (): Promise<void> => {
    if (opened) host?.tell(await storageStatus(opened))
  }
  let close = async (): Promise<void> => {}
  /** A page that had no answer while the device was opened has one soon: letting go would open it once more. */
  let staysUntil = 0
  /** The page's greeting, which came before the device was open. */
  let hello: unknown
  scope.addEventListener('message', ({ data }) => {
    if (!host && 'godwit' in data) hello = data
    if (data.owner === 'ping') tell({ worker: 'pong' })
    else if (data.owner === 'let-go' && performance.now() > staysUntil) void letGo()
    else if (data.owner === 'open') void open(data)
  })
  scope.addEventListener('error', ({ error }) => host?.report(error))
  scope.addEventListener('unhandledrejection', ({ reason }) => host?.report(reason))

  const letGo = async (): Promise<void> => {
    host?.letGo()
    await close()
    tell({ worker: 'closed' })
  }

  async function open({ name, server, storage: wanted }: OwnerMessage & { readonly owner: 'open' }): Promise<void> {
    staysUntil = performance.now() + OPEN_TIMEOUT
    try {
      const channel = wanted === 'opfs' ? new BroadcastChannel(lockOf(name)) : undefined
      const busy = (isBusy: boolean): void => {
        const message: HostMessage = { godwit: 'busy', busy: isBusy }
        scope.postMessage(message)
        channel?.postMessage({ to: ALL_PAGES, from: WORKER, message } satisfies ChannelMessage)
      }
      busy(true)
      const asked = { name, roomChanged: () => void tellStorage() }
      const { storage, release } = await storageOf(asked, wanted, loading)
      const { files, drive, reserve, isNew } = storage
      opened = storage
      const sdk = openSdkOn<Ms>(
        drive,
        { models: options.models, server, ...releaseOf(options) },
        { ...browserFetch(), files, pageSize: PAGE_SIZE, isFull: () => reserve.look() },
      )
      options.opened?.(sdk)
      host = hostDevice<Ms>({
        sdk,
        models: options.models,
        ...(options.actions && { actions: options.actions }),
        ...releaseOf(options),
        outdated: () => void letGo(),
        async takeBlob(blob) {
          const hash = await files.copy(blob as Blob, 'blobs')
          return { value: { hash }, release: () => {} }
        },
        calls: { blob: { kind: 'read', run: async (hash: string) => (await files.blob(`blobs/${hash}`)) ?? null } },
      })
      const watch = setInterval(() => void tellStorage(), CHECK_INTERVAL)
      close = async () => {
        close = async () => {}
        clearInterval(watch)
        channel?.close()
        await sdk.close()
        storage.close()
        release()
      }
      // Known before the browser has counted what is stored.
      host.tell({ durable: storage.storage === 'opfs' })
      host.connect(scope as never)
      if (hello) dispatchEvent(new MessageEvent('message', { data: hello }))
      if (channel) serveChannel(host, channel, name)
      staysUntil = performance.now() + ANSWER_TIMEOUT
      busy(false)
      await tellStorage()
      tell({ worker: 'opened', storage: storage.storage, isNew })
    } catch (error) {
      tell({ worker: 'failed', error: toWire(error) })
    }
  }
}

/** Milliseconds after which a worker that opens the device lets go of it for a page that has no answer. */
const OPEN_TIMEOUT = 10_000
/** Milliseconds that a page waits for an answer. */
const ANSWER_TIMEOUT = 1000

/** Milliseconds between two looks at how much is stored. */
const CHECK_INTERVAL = 60_000

/** A page is stored in one transaction, and what the app asks waits for it. */
const PAGE_SIZE = 1000

const releaseOf = ({ release }: { readonly release?: number }) => (release === undefined ? {} : { release })

interface LockedStorage {
  readonly storage: BrowserStorage
  /** Lets go of the lock of the files. */
  readonly release: () => void
}

/** In memory where the origin keeps no files. The lock waits for a worker that still has them; folders alone are looked up meanwhile. */
async function storageOf(
  options: StorageOptions,
  wanted: 'opfs' | 'memory',
  loading: Promise<Sqlite3>,
): Promise<LockedStorage> {
  const folders = wanted === 'opfs' ? openFolders(options.name) : undefined
  folders?.catch(() => {})
  if (!folders || !(await keepsFiles()))
    return { storage: await openStorage({ ...options, storage: 'memory' }, { loading }), release() {} }
  const release = await acquireLock(filesLockOf(options.name))
  // What the origin refused at first, it may give by now.
  const given = folders.catch(() => openFolders(options.name))
  return { storage: await openStorage(options, { loading, folders: given }), release }
}

/** Resolves when the lock is had, with what gives it back. */
export const acquireLock = (name: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    navigator.locks.request(name, () => new Promise<void>(release => resolve(release))).catch(reject)
  })

/** Serves the other pages of the origin, each from its first message on until it is gone. */
function serveChannel(host: DeviceHost, channel: BroadcastChannel, name: string): void {
  const pages = new Map<string, () => void>()
  channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => {
    if (data.to !== WORKER || pages.has(data.from)) return
    const page = data.from
    const port = channelPort(channel, { own: WORKER, other: page })
    const { godwit } = data.message as PageMessage
    if (godwit === 'bye') return
    // A page that was taken for gone says hello again, and repeats what it asked.
    if (godwit !== 'hello') port.postMessage({ godwit: 'gone', generation: host.generation } satisfies HostMessage)
    pages.set(page, host.connect(port))
    // A page holds this lock while it lives: having it means that the page is gone.
    void navigator.locks.request(pageLockOf(name, page), () => {
      pages.get(page)?.()
      pages.delete(page)
    })
  })
  const message: HostMessage = { godwit: 'invite', generation: host.generation }
  channel.postMessage({ to: ALL_PAGES, from: WORKER, message } satisfies ChannelMessage)
}

/** What pages show of where the device's data is, and how much there is. */
async function storageStatus({ storage, reserve }: BrowserStorage): Promise<Partial<HostStatus>> {
  if (storage === 'memory') return { storage, durable: false }
  const [{ usage = 0, quota = 0 }, isKept] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  const kept = isKept ? 'persistent' : 'best-effort'
  return { storage: (await reserve.look()) ? 'full' : kept, durable: true, usage, quota }
}
