import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { readSettings } from './config.js'

const guide = readFileSync(fileURLToPath(new URL('../../../docs/operating/deploy.md', import.meta.url)), 'utf8')
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? ''

test('the unit of systemd starts a server in production with settings that it knows', () => {
  const lines = [...block('ini').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const environment: Record<string, string> = Object.fromEntries(lines)
  const { SYNC_ADMIN_PASSWORD_FILE, ...others } = environment
  expect(SYNC_ADMIN_PASSWORD_FILE).toBe('%d/admin-password')
  expect(readSettings({ ...others, SYNC_ADMIN_PASSWORD: 'a long one of words' })).toMatchObject({
    development: false,
    configPath: 'godwit.config.mjs',
    store: 'sqlite:/var/lib/godwit/store.sqlite',
    trustProxy: true,
  })
  expect(block('ini')).toMatch(/^ExecStart=\S+ npx godwit start$/m)
})

test('the manifest of Kubernetes asks the health of the port that the image exposes, and keeps its volume', () => {
  const { kind, spec } = parse(block('yaml'))
  const [container] = spec.template.spec.containers
  const image = readFileSync(fileURLToPath(new URL('../Dockerfile', import.meta.url)), 'utf8')
  const [, port] = /^EXPOSE (\d+)$/m.exec(image) ?? []
  expect([kind, spec.replicas, String(container.ports[0].containerPort)]).toEqual(['StatefulSet', 1, port])
  expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz'])
  expect(image).toContain(`VOLUME ${container.volumeMounts[0].mountPath}`)
  const { stopDelay } = readSettings(
    Object.fromEntries(
      container.env.flatMap(({ name, value }: { name: string; value?: string }) => (value ? [[name, value]] : [])),
    ),
  )
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(10 + (stopDelay ?? 0))
})

test('the file for Fly checks the port of the image and mounts its volume', () => {
  expect(block('toml')).toMatch(/^internal_port = 8675$/m)
  expect(block('toml')).toMatch(/^destination = "\/data"$/m)
  expect(block('toml')).toMatch(/^path = "\/readyz"$/m)
})
