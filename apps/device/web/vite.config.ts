import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
// The source, since packages are built concurrently: none reads the build of another.
import { godwit } from '../../../packages/vite/src/index.ts'
import { compressAssets } from '../../../scripts/compress-assets.ts'

/** Alphabets in which no city of the demo is written: loaded from the network when a note uses them. */
const RARE_FONTS = /-(cyrillic|greek|vietnamese)-/

/** How push messages are shown. */
const PUSH = { title: 'Field Visits', icon: './icon-192.png' }

export default defineConfig({
  base: './',
  plugins: [
    react(),
    godwit({ server: 'http://127.0.0.1:8675', precache: file => !RARE_FONTS.test(file), push: PUSH }),
    compressAssets(),
  ],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
})
