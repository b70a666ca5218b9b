/** The main entry of protocol is loaded by browsers: minified and compressed it stays small, and carries no schema. */
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from './workspace.ts'

const LIMIT_BYTES = 6 * 1024
/** Words that only a JSON Schema has. */
const SCHEMA_WORDS = /\b(additionalProperties|minLength|maxLength|\$ref)\b/

const { outputFiles } = await build({
  entryPoints: [join(root, 'packages/protocol/dist/index.js')],
  bundle: true,
  minify: true,
  format: 'esm',
  write: false,
})
const code = outputFiles.map(({ text }) => text).join('')
const bytes = brotliCompressSync(code).length
const schema = SCHEMA_WORDS.exec(code)

if (schema)
  throw new Error(
    `@godwit/protocol carries a schema in its main entry: found ${schema[0]}. Schemas belong to ./schemas.`,
  )
if (bytes > LIMIT_BYTES)
  throw new Error(`@godwit/protocol has ${bytes} bytes compressed, expected at most ${LIMIT_BYTES}.`)
process.stdout.write(`@godwit/protocol: ${bytes} bytes minified and compressed (at most ${LIMIT_BYTES}), no schema\n`)
