import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Twins that the server sends to whoever takes them: no request waits for a compression. */
const twins = (): Plugin => ({
  name: 'compressed-twins',
  apply: 'build',
  writeBundle({ dir = 'dist' }) {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(html|js|css|svg)$/.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})

export default defineConfig({
  // Relative, so that the console also works below a path of a proxy.
  base: './',
  plugins: [react(), twins()],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/rc': 'http://127.0.0.1:8675', '/app': 'http://127.0.0.1:8675' } },
})
