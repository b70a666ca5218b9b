import type { Actions } from '../remote/actions.js'
import { toWire } from '../remote/error-values.js'
import { type DeviceHost, hostDevice } from '../remote/host.js'
import type { HostMessage, HostStatus, PageMessage } from '../remote/protocol.js'
import type { Credentials } from '../run/sign-in.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import type { Sdk } from '../sdk/sdk.js'
import type { Models } from '../typed/infer.js'
import type { CheckedModels } from '../typed/typed-models.js'
import { browserFetch } from './browser-fetch.js'
import { channelPort } from './channel-port.js'
import { DevelopmentWarnings } from './development.js'
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
import { acquireFilesLock } from './retry-while-locked.js'
import { loadSqlite3, type Sqlite3 } from './sqlite3.js'

/** The models and actions that a worker serves to its pages. */
export interface ServeOptions<Ms, A extends Actions<Ms>> {
  readonly models: CheckedModels<Ms>
  /** The result of `defineActions`. */
  readonly actions?: A
  /** Returns a token of the app's identity provider, where the worker can get one by itself; else pass `credentials` to `openDevice`. */
  readonly credentials?: Credentials
  /** Release number of the app; higher is newer. Default: the sum of the models' `schemaVersion`. */
  readonly release?: number
  /** The URL of `sqlite3.wasm`. Default: where the bundler placed it. */
  readonly wasm?: string | URL
  /** Called with each device opened here, before any page is served. Use it for handlers of refusals and settings. */
  readonly opened?: (sdk: Sdk<Ms>) => void
}

/** The part of a dedicated worker's scope that is used. */
interface Scope {
  postMessage(message: unknown): void
  addEventListener(type: 'message', hear: (event: { readonly data: OwnerMessage }) => void): void
  addEventListener(type: 'error', hear: (event: { readonly error: unknown }) => void): void
  addEventListener(type: 'unhandledrejection', hear: (event: { readonly reason: unknown }) => void): void
}

/** Serves a device to its page and to other pages of the origin. Call it in the worker. */
export function serveDevice<const Ms extends Models<Ms>, const A extends Actions<Ms> = Record<never, never>>(
  options: ServeOptions<Ms, A>,
): void {
  const scope = globalThis as unknown as Scope
  // A worker that waits for the lock loads SQLite meanwhile.
  const loading = loadSqlite3(options.wasm)
  loading.catch(() => {})
  const post = (message: WorkerMessage): void => scope.postMessage(message)
  let host: DeviceHost | undefined
  let opened: BrowserStorage | undefined
  const reportStorage = async (): Promise<void> => {
    if (opened) host?.updateStatus(await storageStatus(opened))
  }
  let close = async (): Promise<void> => {}
  /** Until then the worker stays, even for a page that got no answer while the device was being opened: it gets one soon. */
  let staysUntil = 0
  /** The page's greeting, if it arrived before the device was open. */
  let hello: unknown
  scope.addEventListener('message', ({ data }) => {
    if (!host && 'godwit' in data) hello = data
    if (data.owner === 'ping') post({ worker: 'pong' })
    else if (data.owner === 'let-go' && performance.now() > staysUntil) void letGo()
    else if (data.owner === 'open') void open(data)
  })
  scope.addEventListener('error', ({ error }) => host?.report(error))
  scope.addEventListener('unhandledrejection', ({ reason }) => host?.report(reason))

  const letGo = async (): Promise<void> => {
    host?.letGo()
    await close()
    post({ worker: 'closed' })
  }

  async function open({ name, server, storage: wanted }: OwnerMessage & { readonly owner: 'open' }): Promise<void> {
    staysUntil = performance.now() + OPEN_TIMEOUT_MS
    let busy = (_isBusy: boolean): void => {}
    try {
      const channel = wanted === 'opfs' ? new BroadcastChannel(lockOf(name)) : undefined
      busy = isBusy => {
        const message: HostMessage = { godwit: 'busy', busy: isBusy }
        scope.postMessage(message)
        channel?.postMessage({ to: ALL_PAGES, from: WORKER, message } satisfies ChannelMessage)
      }
      busy(true)
      const storageOptions = { name, roomChanged: () => void reportStorage() }
      const { storage, release } = await storageOf(storageOptions, wanted, loading)
      const { files, drive, reserve, isNew } = storage
      opened = storage
      const warnings = new DevelopmentWarnings(server, storage)
      const sdk = openSdkOn<Ms>(
        drive,
        {
          models: options.models,
          server,
          ...(options.credentials && { credentials: options.credentials }),
          ...releaseOf(options),
        },
        {
          ...browserFetch(warnings.answered),
          files,
          pageSize: ROWS_PER_PAGE,
          isFull: () => reserve.look(),
        },
      )
      void warnings.watch(sdk)
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
      const watch = setInterval(() => void reportStorage(), CHECK_INTERVAL_MS)
      close = async () => {
        close = async () => {}
        clearInterval(watch)
        channel?.close()
        await sdk.close()
        storage.close()
        release()
      }
      // Set before the browser has measured the storage.
      host.updateStatus({ durable: storage.storage === 'opfs' })
      host.connect(scope as never)
      if (hello) dispatchEvent(new MessageEvent('message', { data: hello }))
      if (channel) serveChannel(host, channel, name)
      staysUntil = performance.now() + ANSWER_TIMEOUT_MS
      busy(false)
      await reportStorage()
      post({ worker: 'opened', storage: storage.storage, isNew })
    } catch (error) {
      busy(false)
      post({ worker: 'failed', error: toWire(error) })
    }
  }
}

/** Milliseconds after which a worker that is still opening the device releases it for a page without an answer. */
const OPEN_TIMEOUT_MS = 10_000
/** Milliseconds that a page waits for an answer. */
const ANSWER_TIMEOUT_MS = 1000

/** Milliseconds between two checks of the storage used. */
const CHECK_INTERVAL_MS = 60_000

/** Rows per page: each page is stored in one transaction, and calls wait for it. */
const ROWS_PER_PAGE = 1000

const releaseOf = ({ release }: { readonly release?: number }) => (release === undefined ? {} : { release })

interface LockedStorage {
  readonly storage: BrowserStorage
  /** Releases the lock of the files. */
  readonly release: () => void
}

/** Opens the storage: in memory if the origin stores no files. Waits for the lock while another worker has the files, and looks up the folders meanwhile. */
async function storageOf(
  options: StorageOptions,
  wanted: 'opfs' | 'memory',
  loading: Promise<Sqlite3>,
): Promise<LockedStorage> {
  const folders = wanted === 'opfs' ? openFolders(options.name) : undefined
  folders?.catch(() => {})
  if (!folders || !(await keepsFiles()))
    return { storage: await openStorage({ ...options, storage: 'memory' }, { loading }), release() {} }
  const release = await acquireFilesLock(filesLockOf(options.name))
  // The origin may allow by now what it refused at first.
  const given = folders.catch(() => openFolders(options.name))
  return { storage: await openStorage(options, { loading, folders: given }), release }
}

/** Serves other pages of the origin, each from its first message until it closes. */
function serveChannel(host: DeviceHost, channel: BroadcastChannel, name: string): void {
  const pages = new Map<string, () => void>()
  channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => {
    if (data.to !== WORKER || pages.has(data.from)) return
    const page = data.from
    const port = channelPort(channel, { own: WORKER, other: page })
    const { godwit } = data.message as PageMessage
    if (godwit === 'bye') return
    // A page that was taken for closed greets again and repeats its calls.
    if (godwit !== 'hello') port.postMessage({ godwit: 'gone', generation: host.generation } satisfies HostMessage)
    pages.set(page, host.connect(port))
    // A page holds this lock while it lives; acquiring it means that the page is gone.
    void navigator.locks.request(pageLockOf(name, page), () => {
      pages.get(page)?.()
      pages.delete(page)
    })
  })
  const message: HostMessage = { godwit: 'invite', generation: host.generation }
  channel.postMessage({ to: ALL_PAGES, from: WORKER, message } satisfies ChannelMessage)
}

/** The storage status that pages show: where the data is, and how much. */
async function storageStatus({ storage, reserve }: BrowserStorage): Promise<Partial<HostStatus>> {
  if (storage === 'memory') return { storage, durable: false }
  const [{ usage = 0, quota = 0 }, isKept] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  const kept = isKept ? 'persistent' : 'best-effort'
  return { storage: (await reserve.look()) ? 'full' : kept, durable: true, usage, quota }
}
