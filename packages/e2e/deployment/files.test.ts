import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findProgram } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { validate } from 'dockerfile-utils'
import { inRepository } from '../harness/process.js'
import { readServices } from './compose.js'
import { dockerfile, readImage } from './image.js'

const caddy = findProgram({ names: ['caddy'], debian: 'caddy' })

describe('the Dockerfile', () => {
  test('has no flaw that a linter knows', () => {
    expect(validate(dockerfile)).toEqual([])
    expect(validate('FRM scratch\n')).not.toEqual([])
  })

  test('builds by the pnpm of the workspace', () => {
    const { packageManager } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as {
      packageManager: string
    }
    const used = readImage(dockerfile).builds.flatMap(line => line.match(/\bpnpm@\S+/g) ?? [])
    expect(new Set(used)).toEqual(new Set([packageManager]))
  })

  test('runs as an unprivileged user, and writes to its volume only', () => {
    const { user, volumes, environment } = readImage(dockerfile)
    expect({ user, volumes }).toEqual({ user: 'node', volumes: '/data' })
    expect(environment).toMatchObject({
      NODE_ENV: 'production',
      SYNC_STORE: 'sqlite:/data/godwit.sqlite',
      TMPDIR: '/data',
    })
  })
})

test.each(['Dockerfile', 'compose.yaml'])('every image that %s names by a tag has a digest', file => {
  const text = readFileSync(inRepository(`apps/server/${file}`), 'utf8')
  const images = [...text.matchAll(/^(?:FROM|\s*image:)\s+(\S+:\S+)/gm)].map(([, image = '']) => image)
  expect(images.length).toBeGreaterThan(1)
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/)
})

describe('the compose file', () => {
  const lint = () =>
    execFileSync(
      process.execPath,
      [
        inRepository('packages/e2e/node_modules/dclint/bin/dclint.cjs'),
        ...['--config', inRepository('packages/e2e/deployment/dclint.json'), inRepository('apps/server/compose.yaml')],
      ],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
    )

  test('fits the schema of compose files, and has no flaw that a linter knows', () => {
    expect(lint()).not.toMatch(/error|warning/)
  })

  test('lets no container write to its own files or do what only root may', () => {
    for (const [name, { read_only, cap_drop }] of Object.entries(readServices({ SYNC_ADMIN_PASSWORD: 'one' })))
      expect([name, read_only, cap_drop]).toEqual([name, true, ['ALL']])
  })

  test('publishes ports of the proxy only', () => {
    const open = Object.entries(readServices({ SYNC_ADMIN_PASSWORD: 'one' })).filter(([, { ports }]) => ports)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
  })

  test('gives each process longer to stop than it takes', () => {
    const services = readServices({ SYNC_ADMIN_PASSWORD: 'one' })
    for (const name of ['single', 'server', 'worker']) {
      const grace = Number.parseInt(services[name]?.stop_grace_period ?? '10s', 10)
      expect(grace).toBeGreaterThanOrEqual(Number(services[name]?.environment?.['SYNC_STOP_DELAY'] ?? 0) + 10)
    }
    expect(services['server']?.environment?.['SYNC_STOP_DELAY']).toBe('3')
  })

  test('checks the health of every process of the server', () => {
    const text = JSON.stringify(readServices({ SYNC_ADMIN_PASSWORD: 'one' }))
    expect(text).not.toContain('disable')
    expect(readImage(dockerfile).environment['SYNC_WORKER_PORT']).toBe(readImage(dockerfile).environment['PORT'])
  })

  test('leaves the check for an admin password to the server, as it may come from a file', () => {
    expect(readServices({})['single']?.environment?.['SYNC_ADMIN_PASSWORD']).toBe('')
  })
})

if (caddy === undefined) test.skip('the configuration of the proxy needs caddy', () => undefined)
else
  test.each([':80', 'sync.example.com'])('the configuration of the proxy is one, for %s', SITE => {
    const parameters = ['adapt', '--validate', '--config', inRepository('apps/server/Caddyfile')]
    const adapted = execFileSync(caddy, parameters, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, SITE } })
    expect(adapted).toContain('"dynamic_upstreams":{"name":"godwit"')
    expect(adapted.includes('"host":["sync.example.com"]')).toBe(SITE !== ':80')
  })
