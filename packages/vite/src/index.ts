import type { PushWorkerOptions } from '@godwit/model/push-worker'
import type { Plugin } from 'vite'
import { isServed, listFiles } from './built-files.js'
import { writeServiceWorker } from './service-worker.js'

/** Options of {@link godwit}. */
export interface GodwitOptions {
  /** URL of a Godwit server, to which `vite` and `vite preview` forward the requests of devices. Default: none. */
  readonly server?: string | undefined
  /** Returns whether a file of the build, such as `assets/film-B2x1.mp4`, is stored for offline use. Default: every file is. */
  readonly precache?: (file: string) => boolean
  /** How the service worker shows push messages: `title`, `text`, `icon`, `url`. Default: the text of the message is the title. */
  readonly push?: PushWorkerOptions
}

/** Paths of a Godwit server that devices request. */
const DEVICE_PATHS = '^/(app|rc)/'
const SERVICE_WORKER = 'service-worker.js'

/**
 * A Vite plugin for apps with a Godwit device: sets the options that the device's worker needs, forwards its requests in development, and
 * adds a service worker to builds, which stores the page, its assets, the device's worker and SQLite, so that the app opens offline, and shows
 * push messages.
 *
 * @example
 * export default defineConfig({ plugins: [godwit({ server: 'http://127.0.0.1:8675' })] })
 */
export const godwit = ({ server, precache = () => true, push = {} }: GodwitOptions = {}): Plugin[] => [
  {
    name: 'godwit',
    config: () => ({
      // They load their worker and WebAssembly relative to their own modules.
      optimizeDeps: { exclude: ['@godwit/model', '@godwit/protocol'] },
      worker: { format: 'es' },
      ...(server !== undefined && { server: { proxy: { [DEVICE_PATHS]: server } } }),
    }),
  },
  offline(precache, push),
]

function offline(precache: (file: string) => boolean, push: PushWorkerOptions): Plugin {
  let base = '/'
  return {
    name: 'godwit-offline',
    apply: 'build',
    applyToEnvironment: environment => environment.name === 'client',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      // Before Vite reads the scripts of the page, so that this one becomes part of its bundle: a policy may forbid inline scripts.
      order: 'pre',
      handler: (_html, { path }) => [
        { tag: 'script', attrs: { type: 'module' }, children: registration(rootOf(base, path)), injectTo: 'body' },
      ],
    },
    writeBundle({ dir = 'dist' }) {
      const files = listFiles(dir).filter(file => file !== SERVICE_WORKER && isServed(file) && precache(file))
      writeServiceWorker(dir, { name: SERVICE_WORKER, files, push })
    },
  }
}

/** Returns the URL of the build's folder, as a page of it writes it. */
function rootOf(base: string, page: string): string {
  const depth = page.split('/').length - 2
  return base === '' || base === './' ? `./${'../'.repeat(depth)}` : base
}

const registration = (root: string): string => `
if ('serviceWorker' in navigator)
  navigator.serviceWorker.register(${JSON.stringify(root + SERVICE_WORKER)}).catch(error => {
    console.warn('This app cannot open offline, because the browser refused its service worker:', error)
  })
`
