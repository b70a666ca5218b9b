import { countsPerDocument, countsPerSection } from './counts.js'
import { manifest } from './manifest.js'

process.stdout.write(`${[...countsPerSection(manifest), countsPerDocument(manifest)].join('\n')}\n`)
