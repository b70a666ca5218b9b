import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressedTwins } from '../../../scripts/compressed-twins.ts'

export default defineConfig({
  base: './',
  plugins: [react(), compressedTwins()],
  resolve: { conditions: ['source', 'module', 'browser'] },
  worker: { format: 'es' },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/app': 'http://127.0.0.1:8675' } },
})
