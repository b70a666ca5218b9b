import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
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
  /** Modules for browsers without a bundler, by their names in `dist/standalone`: nothing there imports a package. */
  standalone?: Record<string, string>
}

const entries = (sources: readonly string[]) =>
  Object.fromEntries(sources.map(source => [source.replace('./src/', '').replace(/\.ts$/, ''), source]))

/** Never published: programs carry its sources. */
const BUNDLED = /^@godwit\/terminal(\/|$)/

const outDir = process.env['BUILD_OUT'] ?? 'dist'

const common: Options = {
  outDir,
  target: 'node22',
  sourcemap: true,
  // A map names the lines of the repository; their text is not published with it.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
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

const library = (exports: readonly Export[], format: 'esm' | 'cjs'): Options => ({
  ...common,
  entry: entries([...exports.flatMap(sourcesOf), ...APART]),
  format: [format],
  platform: 'neutral',
  // CommonJS by rollup, which keeps classes as they are: without, tsup writes it with a transform that initializes public fields after private ones.
  treeshake: format === 'cjs' && 'safest',
  dts: process.env['BUILD_TYPES'] !== 'no' && { compilerOptions: { composite: false, emitDeclarationOnly: false } },
})

/** Lie beside the modules that load them by their own address. */
const assets = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.wasm'))

const withAssets = (options: Options, placeOf: (asset: string) => string): Options => ({
  ...options,
  async onSuccess() {
    for (const asset of assets) copyFileSync(join('src', asset), join(outDir, placeOf(asset)))
  },
})

const standalone = (sources: Record<string, string>): Options =>
  withAssets(
    {
      ...common,
      outDir: join(outDir, 'standalone'),
      entry: sources,
      format: ['esm'],
      platform: 'browser',
      target: 'es2022',
      sourcemap: false,
      minify: true,
      skipNodeModulesBundle: false,
      noExternal: [/./],
      // Other packages may be under construction: their sources are taken.
      esbuildOptions(options) {
        options.conditions = ['source']
      },
    },
    asset => join('standalone', basename(asset)),
  )

function libraries(exports: readonly Export[]): Options[] {
  const { standalone: sources } = manifest
  const required = exports.filter(one => !isModuleOnly(one))
  return [
    withAssets(library(exports, 'esm'), asset => asset),
    ...(required.length > 0 ? [library(required, 'cjs')] : []),
    ...(sources ? [standalone(sources)] : []),
  ]
}

const program = (bin: Record<string, string>): Options => ({
  ...common,
  entry: entries(Object.values(bin).map(path => path.replace('./dist/', './src/').replace(/\.js$/, '.ts'))),
  format: ['esm'],
  platform: 'node',
  noExternal: [BUNDLED],
  esbuildOptions(options) {
    options.conditions = ['source']
    options.sourcesContent = false
  },
})

export default defineConfig(
  manifest.exports ? libraries(Object.values(manifest.exports).filter(isBuilt)) : program(manifest.bin ?? {}),
)
