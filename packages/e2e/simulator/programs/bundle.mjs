import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * A program of these tests (the simulator) and the product in one file. `mutant`: `{ file, find, replace }`, a fault planted into the text of one source file;
 * the text must stand there exactly once, or the fault would say nothing.
 */
export async function bundle(outfile, { entry = 'packages/e2e/simulator/child.ts', mutant } = {}) {
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
    external: ['better-sqlite3'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [plant],
    logLevel: 'error',
  })
  if (mutant && !planted) throw new Error(`${mutant.file} is not part of the simulator`)
}
