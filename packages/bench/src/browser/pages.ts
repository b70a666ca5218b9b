import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
}

export interface ServedPages {
  readonly url: string
  close(): void
}

/** Builds the benchmark's pages like an app, and serves them. */
export async function servePages(): Promise<ServedPages> {
  const { build } = await import('vite')
  const root = fileURLToPath(new URL('../pages', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'godwit-bench-pages-'))
  await build({
    root,
    base: './',
    logLevel: 'error',
    define: { global: 'globalThis' },
    resolve: { conditions: ['source', 'module', 'browser'] },
    worker: { format: 'es' },
    build: {
      rolldownOptions: { input: ['index.html', 'sync.html', 'bulk.html'].map(name => join(root, name)) },
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    try {
      const file = readFileSync(join(folder, path === '/' ? 'index.html' : path))
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/html; charset=utf-8' }).end(file)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
