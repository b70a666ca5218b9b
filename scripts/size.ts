/** What browsers load stays small, minified and compressed with all it imports, and carries no schema. */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './workspace.ts'

const KIB = 1024
const LIMITS = { protocol: 6 * KIB, 'admin-client': 6 * KIB }
/** Words that only a JSON Schema has. */
const SCHEMA_WORDS = /\b(additionalProperties|minLength|maxLength|\$ref)\b/

for (const [name, limit] of Object.entries(LIMITS)) {
  const { outputFiles } = await build({
    entryPoints: [join(root, `packages/${name}/dist/index.js`)],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const code = outputFiles.map(({ text }) => text).join('')
  const bytes = brotliCompressSync(code).length
  const schema = SCHEMA_WORDS.exec(code)

  if (schema) {
    throw new Error(
      `@godwit/${name} carries a schema in its main entry: found ${schema[0]}. Schemas belong to ./schemas.`,
    )
  }
  if (bytes > limit) throw new Error(`@godwit/${name} has ${bytes} bytes compressed, expected at most ${limit}.`)
  process.stdout.write(`@godwit/${name}: ${bytes} bytes minified and compressed (at most ${limit}), no schema\n`)
}
