import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { AdminClient } from '@godwit/admin-client'
import { createVapidKeys, webPush } from '@godwit/push/web-push'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { openWebPushService, type SelfSigned, until, type WebPushService } from '@godwit/testing'
import { bundleForBrowser, sqliteWasm } from '../harness/browser-bundle.js'

/** What the service worker of the page showed. */
export interface ShownMessage {
  readonly title: string
  readonly body: string
  readonly data: Record<string, unknown>
  /** The number of open pages of the app. */
  readonly pages: number
  /** Why the browser did not show it. Chromium without windows shows no notifications. */
  readonly error?: string
}

/** A page with a device and a service worker, its sync server, and a push service that checks what the server sends. */
export interface PushWorld {
  /** The address of the page. */
  readonly url: string
  readonly service: WebPushService
  readonly operator: AdminClient
  /** The messages that the worker showed, in order. */
  readonly shown: readonly ShownMessage[]
  /** Waits for this number of messages, and returns the last. */
  untilShown(count: number): Promise<ShownMessage>
  close(): Promise<void>
}

const PAGE = `
import { openDevice, renewPush, subscribePush, unsubscribePush } from '@godwit/model/browser'
import { defineModel, t } from '@godwit/model'
const Note = defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } })
Object.assign(globalThis, {
  device: openDevice({
    name: 'push',
    server: new URLSearchParams(location.search).get('server'),
    models: { Note },
    worker: () => new Worker('/worker.js' + location.search, { type: 'module' }),
  }),
  subscribe: () => subscribePush(device),
  unsubscribe: () => unsubscribePush(device),
  renew: () => renewPush(device),
  ready: navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(() => true),
})`

const DEVICE = `
import { serveDevice } from '@godwit/model/browser/worker'
import { defineModel, t } from '@godwit/model'
serveDevice({ models: { Note: defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } }) } })`

/** The worker of an app, which reports each notification, and whether the browser showed it. */
const SERVICE_WORKER = `
import { pushWorker } from '@godwit/model/push-worker'
self.addEventListener('install', event => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
const show = self.registration.showNotification.bind(self.registration)
self.registration.showNotification = async (title, options) => {
  const error = await show(title, options).then(() => undefined, String)
  const pages = (await self.clients.matchAll({ includeUncontrolled: true })).length
  await fetch('/shown', { method: 'POST', body: JSON.stringify({ title, body: options.body, data: options.data, pages, error }) })
}
pushWorker(self, { title: 'Field Visits' })`

/** Starts all of them. The process trusts the certificate from then on. */
export async function openPushWorld(certificate: SelfSigned): Promise<PushWorld> {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])
  const service = await openWebPushService(certificate)
  const shown: ShownMessage[] = []
  const site = await serveSite(shown)
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: [defineSource({ name: 'Note', pollInterval: -1 })],
    admin: { login: 'admin', password: 'admin' },
    users: [{ login: 'ada', password: 'ada' }],
    origins: [site.url],
    allowPrivateBackends: true,
    pushProviders: {
      webpush: webPush({ privateKey: createVapidKeys().privateKey, subject: 'mailto:ops@example.org' }),
    },
    limits: { passwordCost: 16 },
  })
  const { url } = await server.listen({ port: 0 })
  return {
    url: `${site.url}/?server=${encodeURIComponent(url)}`,
    service,
    operator: await AdminClient.login({ url, login: 'admin', password: 'admin' }),
    shown,
    async untilShown(count) {
      await until(() => shown.length >= count)
      return shown[count - 1] as ShownMessage
    },
    async close() {
      await server.close()
      await site.close()
      await service.close()
    },
  }
}

async function serveSite(shown: ShownMessage[]) {
  const bundle = (text: string) => bundleForBrowser({ entry: { text, folder: 'packages/e2e/browser' } })
  const scripts = new Map<string, string | Buffer>([
    ['/page.js', await bundle(PAGE)],
    ['/worker.js', await bundle(DEVICE)],
    ['/service-worker.js', await bundle(SERVICE_WORKER)],
    ['/sqlite3.wasm', sqliteWasm()],
  ])
  const http = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    if (path === '/shown') {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      shown.push(JSON.parse(Buffer.concat(parts).toString()) as ShownMessage)
      return void response.end()
    }
    const script = scripts.get(path)
    const type = script === undefined ? 'text/html' : path.endsWith('.wasm') ? 'application/wasm' : 'text/javascript'
    response.writeHead(200, { 'content-type': type })
    response.end(script ?? '<!doctype html><title>push</title><script type="module" src="/page.js"></script>')
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}
