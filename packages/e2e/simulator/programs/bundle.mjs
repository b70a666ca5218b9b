import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SIMULATOR = 'packages/e2e/simulator/world/worker.ts'
const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** Modules of Node that leave work to threads, and what stands in their place in the files that begin so. */
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
 * A program of these tests (the simulator) and the product in one file. `mutant`: `{ file, find, replace }`, a fault planted into the text of one source file;
 * the text must stand there exactly once, or the fault would say nothing.
 */
export async function bundle(outfile, { entry = SIMULATOR, mutant } = {}) {
  let planted = false
  const plant = {
    name: 'plant',
    setup(setup) {
      if (!mutant) return
      setup.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== repository + mutant.file) return undefined
        const text = readFileSync(path, 'utf8')
        const places = text.split(mutant.find).length - 1
        if (places !== 1)
          throw new Error(`${mutant.file} has ${places} places like ${JSON.stringify(mutant.find)}, expected one`)
        planted = true
        return { contents: text.replace(mutant.find, () => mutant.replace), loader: 'ts' }
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
    sourcemap: 'inline',
    conditions: ['source'],
    external: ['better-sqlite3', 'playwright-core'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [plant, ...(entry === SIMULATOR ? [immediate] : [])],
    logLevel: 'error',
  })
  if (mutant && !planted) throw new Error(`${mutant.file} is not part of the simulator`)
}
