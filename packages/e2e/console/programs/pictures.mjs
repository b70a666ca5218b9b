// Takes pictures of the console's pages over a server with data: folder, names of pages, widths, webp or png.
//   console:pictures docs/pictures overview,sources 390,1440
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('console/pictures')
