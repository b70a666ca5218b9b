import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { context, type Plugin } from 'esbuild'
import { type Fault, plant } from '../mutants/plant.ts'

const SIMULATOR = 'packages/e2e/simulator/world/worker.ts'
const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** A fault to plant in the product. */
export interface PlantedFault extends Fault {
  /** Planted in addition, if the product enforces the law twice. */
  readonly also?: readonly Fault[]
}

/** A bundler of one program. */
export interface Bundler {
  /** Writes the bundle, with a planted fault if one is given. */
  bundle(mutant?: PlantedFault): Promise<void>
  close(): Promise<void>
}

export interface BundlerOptions {
  /** A path in the repository. Default: the simulator. */
  readonly entry?: string | undefined
  /** Default: false. */
  readonly sourcemap?: boolean
}

/** Opens a bundler of a program of the tests with the product's sources. It parses only files that changed since its last bundle. */
export async function openBundler(
  outfile: string,
  { entry = SIMULATOR, sourcemap = false }: BundlerOptions = {},
): Promise<Bundler> {
  let faults: readonly Fault[] = []
  const planted = new Set<Fault>()
  const planting: Plugin = {
    name: 'plant',
    setup({ onLoad }) {
      // The filter keeps esbuild from asking about all other files.
      onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
        const here = faults.filter(({ file }) => path === repository + file)
        for (const fault of here) planted.add(fault)
        return here.length === 0
          ? undefined
          : { contents: here.reduce(plant, readFileSync(path, 'utf8')), loader: 'ts' }
      })
    },
  }
  const building = await context({
    entryPoints: [repository + entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: sourcemap && 'inline',
    conditions: ['source'],
    external: ['better-sqlite3', 'playwright-core'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [planting, ...(entry === SIMULATOR ? [immediate] : [])],
    logLevel: 'error',
  })
  return {
    async bundle(mutant) {
      faults = mutant === undefined ? [] : [mutant, ...(mutant.also ?? [])]
      planted.clear()
      await building.rebuild()
      for (const fault of faults) if (!planted.has(fault)) throw new Error(`${fault.file} is not part of the program`)
    },
    close: () => building.dispose(),
  }
}

/** Bundles a program once: with a planted fault, or with source maps. Where a planted fault is detected does not matter. */
export async function bundle(
  outfile: string,
  { entry, mutant }: Pick<BundlerOptions, 'entry'> & { readonly mutant?: PlantedFault | undefined } = {},
): Promise<void> {
  const bundler = await openBundler(outfile, { entry, sourcemap: mutant === undefined })
  await bundler.bundle(mutant).finally(() => bundler.close())
}

/** Node modules that use threads, and their synchronous replacements for importers with the given path prefix. */
const IMMEDIATE = [
  {
    importers: 'packages/server/src/device/bulk/',
    modules: /^node:(fs|fs\/promises|zlib)$/,
    file: 'immediate-files.ts',
  },
  {
    importers: 'packages/server/src/accounts/access/passwords.ts',
    modules: /^node:crypto$/,
    file: 'immediate-crypto.ts',
  },
]

const immediate: Plugin = {
  name: 'immediate',
  setup({ onResolve }) {
    for (const { importers, modules, file } of IMMEDIATE)
      onResolve({ filter: modules }, ({ importer }) =>
        importer.startsWith(repository + importers)
          ? { path: `${repository}packages/e2e/simulator/world/${file}` }
          : undefined,
      )
  },
}
