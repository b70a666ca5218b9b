import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from '../../../scripts/compress-assets.ts'

/** Alphabets that no city of the demo is written in: kept once they are used. */
const RARE_FONTS = /-(cyrillic|greek|vietnamese)-/

/** Writes the names of all files into the service worker, which keeps them. */
const keptFiles = () => ({
  name: 'kept-files',
  apply: 'build' as const,
  writeBundle({ dir = 'dist' }: { readonly dir?: string }) {
    const worker = join(dir, 'service-worker.js')
    const names = readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !/\.(br|gz)$/.test(entry.name) && !RARE_FONTS.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(dir, '/').length).replaceAll('\\', '/'))
      .filter(name => name !== 'service-worker.js')
      .map(name => (name === 'index.html' ? './' : `./${name}`))
    writeFileSync(worker, readFileSync(worker, 'utf8').replace('FILES = []', `FILES = ${JSON.stringify(names.sort())}`))
  },
})

export default defineConfig({
  base: './',
  plugins: [react(), keptFiles(), compressAssets()],
  resolve: { conditions: ['source', 'module', 'browser'] },
  worker: { format: 'es' },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/app': 'http://127.0.0.1:8675' } },
})
