import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from '../../scripts/compress-assets.ts'

// The pages about the API, which the server makes itself, use the font by this name.
const assetFileNames = ({ names }: { readonly names: readonly string[] }): string =>
  names.some(name => name.startsWith('inter-latin')) ? 'assets/inter[extname]' : 'assets/[name]-[hash][extname]'

export default defineConfig({
  // Relative, so that the console also works below a path of a proxy.
  base: './',
  plugins: [react(), compressAssets()],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { assetFileNames } },
  },
  server: { proxy: { '/rc': 'http://127.0.0.1:8675', '/app': 'http://127.0.0.1:8675' } },
})
