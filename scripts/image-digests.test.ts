import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { digestIn, type Image, imagesIn, isAt, pinned } from './image-digests.js'

const DIGEST = `sha256:${'a'.repeat(64)}`
const file = (name: string) => readFileSync(new URL(`../apps/server/${name}`, import.meta.url), 'utf8')
const node: Image = { text: 'node:24', name: 'node:24', digest: undefined }

/** A fake registry that requires a token and has one image. */
async function registry(url: string, { headers = {} }: RequestInit = {}): Promise<Response> {
  if (url.startsWith('https://auth.test/token?'))
    return Response.json({ token: new URL(url).searchParams.get('scope') ?? '' })
  const challenge = 'Bearer realm="https://auth.test/token",service="r",scope="pull of node"'
  if (new Headers(headers).get('authorization') !== 'Bearer pull of node')
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } })
  const isThere = url.endsWith('/library/node/manifests/24') || url.endsWith(`/library/node/manifests/${DIGEST}`)
  return new Response(null, isThere ? { headers: { 'docker-content-digest': DIGEST } } : { status: 404 })
}

test('the images of the Dockerfile and the compose file are found, built ones are not', () => {
  expect(new Set(imagesIn(file('Dockerfile')).map(({ name }) => name))).toEqual(new Set(['node:24-bookworm-slim']))
  expect(imagesIn(file('compose.yaml')).map(({ name }) => name)).toEqual(['redis:7-alpine', 'caddy:2-alpine'])
})

test('every image has a digest', () => {
  const images = ['Dockerfile', 'compose.yaml'].flatMap(name => imagesIn(file(name)))
  expect(images.filter(({ digest }) => digest === undefined)).toEqual([])
})

test('the digest is appended to the tag once, wherever the image is named', () => {
  const text = `ARG V=24\nFROM node:\${V} AS build\nRUN x\nFROM node:\${V}\nFROM other:1\n`
  const [image] = imagesIn(text)
  const once = pinned(text, image as Image, DIGEST)
  expect(once).toBe(`ARG V=24\nFROM node:\${V}@${DIGEST} AS build\nRUN x\nFROM node:\${V}@${DIGEST}\nFROM other:1\n`)
  expect(pinned(once, imagesIn(once)[0] as Image, DIGEST)).toBe(once)
  expect(imagesIn(once)[0]?.digest).toBe(DIGEST)
})

test('the registry returns the digest of a tag, or none', async () => {
  expect(await digestIn(node, registry)).toBe(DIGEST)
  expect(await isAt({ ...node, digest: DIGEST }, registry)).toBe(true)
  expect(await isAt({ ...node, digest: DIGEST.replace('a', 'b') }, registry)).toBe(false)
  await expect(digestIn({ ...node, name: 'node:1' }, registry)).rejects.toThrow('node:1: expected a digest')
})

test('a registry that is busy says nothing about a digest', async () => {
  const busy = async () => new Response(null, { status: 429 })
  await expect(isAt({ ...node, digest: DIGEST }, busy)).rejects.toThrow('got 429')
})
