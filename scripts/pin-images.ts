/**
 * Pins the images of the server's Dockerfile and the compose file: writes the registry's digest after each tag.
 * With `--check` it writes nothing, and exits with 1 for an image without a digest, or with one that the registry lacks.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestIn, type Image, imagesIn, isAt, pinned } from './image-digests.ts'
import { root } from './workspace.ts'

const FILES = ['apps/server/Dockerfile', 'apps/server/compose.yaml']
const isCheck = process.argv.includes('--check')
const flaws: string[] = []
const notes: string[] = []

for (const file of FILES) {
  const path = join(root, file)
  let text = readFileSync(path, 'utf8')
  for (const image of imagesIn(text)) {
    if (isCheck && image.digest === undefined) flaws.push(`${file}: ${image.name} has no digest`)
    else if (isCheck) await check(file, image)
    else text = pinned(text, image, await digestIn(image, fetch))
  }
  if (!isCheck) writeFileSync(path, text)
}
for (const note of notes) process.stdout.write(`${note}\n`)
for (const flaw of flaws) process.stderr.write(`${flaw}\n`)
if (flaws.length > 0) process.exitCode = 1

async function check(file: string, image: Image): Promise<void> {
  try {
    if (!(await isAt(image, fetch))) flaws.push(`${file}: no registry has ${image.name}@${image.digest}`)
  } catch {
    notes.push(`${file}: the registry of ${image.name} did not say whether it has the digest`)
  }
}
