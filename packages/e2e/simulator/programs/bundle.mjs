import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SIMULATOR = 'packages/e2e/simulator/world/worker.ts'
const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** Node modules that use threads, and their synchronous replacements for importers with the given path prefix. */
const IMMEDIATE = [
  ['packages/server/src/bulk/', /^node:(fs|fs\/promises|zlib)$/, 'immediate-files.ts'],
  ['packages/server/src/access/passwords.ts', /^node:crypto$/, 'immediate-crypto.ts'],
]

const immediate = {
  name: 'immediate',
  setup(setup) {
    for (const [place, filter, file] of IMMEDIATE)
      setup.onResolve({ filter }, ({ importer }) =>
        importer.startsWith(repository + place)
          ? { path: `${repository}packages/e2e/simulator/world/${file}` }
          : undefined,
      )
  },
}

/**
 * Bundles a program of the tests, by default the simulator, with the product's sources. `mutant`: `{ file, find, replace }`, a fault for one
 * source file, in which `find` must occur exactly once; `also` lists more of them.
 */
export async function bundle(outfile, { entry = SIMULATOR, mutant } = {}) {
  const faults = mutant === undefined ? [] : [mutant, ...(mutant.also ?? [])]
  const planted = new Set()
  const plant = {
    name: 'plant',
    setup(setup) {
      if (faults.length === 0) return
      // The filter keeps esbuild from calling `onLoad` for all other files.
      const files = new RegExp(`/(${faults.map(({ file }) => RegExp.escape(file)).join('|')})$`)
      setup.onLoad({ filter: files }, ({ path }) => {
        const here = faults.filter(({ file }) => path === repository + file)
        const contents = here.reduce(withFault, readFileSync(path, 'utf8'))
        for (const fault of here) planted.add(fault)
        return { contents, loader: 'ts' }
      })
    },
  }
  await build({
    entryPoints: [repository + entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // Without source maps: where a planted fault is detected does not matter.
    sourcemap: mutant === undefined && 'inline',
    conditions: ['source'],
    external: ['better-sqlite3', 'playwright-core'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [plant, ...(entry === SIMULATOR ? [immediate] : [])],
    logLevel: 'error',
  })
  for (const fault of faults) if (!planted.has(fault)) throw new Error(`${fault.file} is not part of the simulator`)
}

function withFault(text, { file, find, replace }) {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places like ${JSON.stringify(find)}, expected one`)
  return text.replace(find, () => replace)
}
