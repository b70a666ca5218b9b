import { existsSync, readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'

/**
 * An entry of a library. `browser`: what bundles for browsers get instead. Without `require`: an ES module only.
 * Without `import` or `browser`: for tests of this workspace, never built.
 */
interface Export {
  readonly source: string
  readonly import?: object
  readonly require?: object
  readonly browser?: { readonly source: string }
}

/** One build for every package, run in its folder: a library is described by its `exports`, a program by its `bin`. */
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports?: Record<string, Export>
  bin?: Record<string, string>
}

const entries = (sources: readonly string[]) =>
  Object.fromEntries(sources.map(source => [source.replace('./src/', '').replace(/\.ts$/, ''), source]))

const common: Options = {
  outDir: process.env['BUILD_OUT'] ?? 'dist',
  target: 'node22',
  sourcemap: true,
  splitting: true,
  silent: true,
  // Whatever is not a file of this package stays an import: native modules break inside a bundle.
  skipNodeModulesBundle: true,
}

/** Built as a separate module: bundlers drop unused modules whole, but keep the calls of a module they use in part. */
const APART = ['./src/routes.ts'].filter(source => existsSync(source))

const sourcesOf = ({ source, browser }: Export): readonly string[] => (browser ? [source, browser.source] : [source])

const isBuilt = (one: Export): boolean => one.import !== undefined || one.browser !== undefined

const isModuleOnly = (one: Export): boolean => one.require === undefined

const library = (exports: readonly Export[], format: ('esm' | 'cjs')[]): Options => ({
  ...common,
  entry: entries([...exports.flatMap(sourcesOf), ...APART]),
  format,
  platform: 'neutral',
  dts: process.env['BUILD_TYPES'] !== 'no' && { compilerOptions: { composite: false, emitDeclarationOnly: false } },
})

/** One build writes both formats, unless some entries are ES modules only. */
function libraries(exports: readonly Export[]): Options[] {
  const both = exports.filter(one => !isModuleOnly(one))
  if (both.length === exports.length) return [library(exports, ['esm', 'cjs'])]
  return [library(exports, ['esm']), library(both, ['cjs'])]
}

const program = (bin: Record<string, string>): Options => ({
  ...common,
  entry: entries(Object.values(bin).map(path => path.replace('./dist/', './src/').replace(/\.js$/, '.ts'))),
  format: ['esm'],
  platform: 'node',
})

export default defineConfig(
  manifest.exports ? libraries(Object.values(manifest.exports).filter(isBuilt)) : program(manifest.bin ?? {}),
)
