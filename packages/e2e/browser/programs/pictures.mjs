// Takes pictures of Field Visits in each of its states: folder, names of states, widths, webp or png.
//   visits:pictures docs/pictures list,refused 390,1440
import { runBundle } from '../../harness/programs/run-bundle.mjs'

await runBundle('browser/pictures')
