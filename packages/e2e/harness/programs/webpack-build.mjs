/** Bundles the app of the given folder into its folder `dist`. */
import { join, resolve } from 'node:path'
import webpack from 'webpack'

const folder = resolve(process.argv[2])
webpack(
  {
    mode: 'production',
    context: folder,
    entry: './src/page.js',
    output: { path: join(folder, 'dist'), filename: 'page.js', publicPath: './' },
    // The tests check where files end up, not their size.
    optimization: { minimize: false },
    performance: { hints: false },
  },
  (error, stats) => {
    const problems = error ? [error] : stats.compilation.errors
    for (const { message } of problems) process.stderr.write(`${message}\n`)
    process.exitCode = problems.length > 0 ? 1 : 0
  },
)
