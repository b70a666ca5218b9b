import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const COMPRESSED = /\.(html|js|css|svg|wasm|webmanifest)$/

/** A Vite plugin that writes compressed `.br` and `.gz` files beside its output, so that no request has to compress. */
export const compressAssets = () => ({
  name: 'compress-assets',
  apply: 'build' as const,
  writeBundle({ dir = 'dist' }: { readonly dir?: string }) {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue
      const file = join(entry.parentPath, entry.name)
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
})
