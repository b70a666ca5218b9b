import { describe, expect, test } from '@jest/globals'
import { readSettings } from './config.js'

const production = { NODE_ENV: 'production', SYNC_ADMIN_PASSWORD: 'a long one of words' }

describe('the environment', () => {
  test('may be empty: development, on loopback, on an embedded store', () => {
    expect(readSettings({})).toEqual({
      workers: true,
      port: 8675,
      host: '127.0.0.1',
      store: 'sqlite:data/godwit.sqlite',
      adminLogin: 'admin',
      adminPassword: undefined,
      configPath: undefined,
      logLevel: 'info',
      logRequests: false,
      metricsToken: undefined,
      trustProxy: undefined,
      durability: 'full',
      allowReset: true,
      allowPrivateBackends: true,
      demoVisits: true,
      push: {},
      development: true,
    })
  })

  test('is strict in production', () => {
    expect(readSettings(production)).toMatchObject({
      development: false,
      allowReset: false,
      allowPrivateBackends: false,
      demoVisits: true,
    })
  })

  test.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65535 }],
    ['PORT', ' 80 ', { port: 80 }],
    ['PORT', '', { port: 8675 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'sync.example', { host: 'sync.example' }],
    ['SYNC_STORE', 'memory:', { store: 'memory:' }],
    ['SYNC_ADMIN_LOGIN', 'root', { adminLogin: 'root' }],
    ['SYNC_ADMIN_PASSWORD', ' with spaces ', { adminPassword: ' with spaces ' }],
    ['SYNC_CONFIG', 'godwit.config.ts', { configPath: 'godwit.config.ts' }],
    ['SYNC_LOG_LEVEL', 'DEBUG', { logLevel: 'debug' }],
    ['SYNC_METRICS_TOKEN', ' a token ', { metricsToken: 'a token' }],
    ['SYNC_METRICS_TOKEN', ' ', { metricsToken: undefined }],
    [
      'SYNC_ORIGINS',
      'https://app.test, http://localhost:5173',
      { origins: ['https://app.test', 'http://localhost:5173'] },
    ],
    ['SYNC_TRUST_PROXY', 'true', { trustProxy: true }],
    ['SYNC_TRUST_PROXY', 'false', { trustProxy: false }],
    ['SYNC_DURABILITY', 'normal', { durability: 'normal' }],
    ['SYNC_REDIS_REPLICAS', '2', { replicas: 2 }],
    ['SYNC_WORKER_PORT', '0', { workerPort: 0 }],
    ['SYNC_STOP_DELAY', '2.5', { stopDelay: 2.5 }],
    ['SYNC_STOP_DELAY', '', { stopDelay: undefined }],
    ['SYNC_PASSWORD_COST', '16', { passwordCost: 16 }],
    ['SYNC_PASSWORD_COST', '', { passwordCost: undefined }],
    ['SYNC_REDIS_REPLICAS', '', { replicas: undefined }],
    ['SYNC_ALLOW_RESET', 'no', { allowReset: false }],
    ['SYNC_ALLOW_PRIVATE_BACKENDS', '0', { allowPrivateBackends: false }],
    ['SYNC_DEMO_VISITS', 'false', { demoVisits: false }],
    ['SYNC_DEMO_PROVIDER', '8676', { demoProvider: 8676 }],
    ['SYNC_DEMO', 'postgres://127.0.0.1/shop', { demo: 'postgres://127.0.0.1/shop' }],
    ['SYNC_DEMO', '', { demo: undefined }],
    ['SYNC_PUSH_FALLBACK', 'News', { pushFallback: 'News' }],
    ['NODE_ENV', 'development', { development: true }],
    ['NODE_ENV', 'test', { development: true }],
  ])('%s=%s is read', (name, value, expected) => {
    expect(readSettings({ [name]: value })).toMatchObject(expected)
  })

  test.each([production, { SYNC_CONFIG: 'godwit.config.mjs' }])('refuses the provider of the demo in %j', others => {
    expect(() => readSettings({ ...others, SYNC_DEMO_PROVIDER: '8676' })).toThrow('expected a start of the demo')
  })

  test('enables reset in production when configured', () => {
    expect(readSettings({ ...production, SYNC_ALLOW_RESET: '1', SYNC_ALLOW_PRIVATE_BACKENDS: 'on' })).toMatchObject({
      allowReset: true,
      allowPrivateBackends: true,
    })
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['HOST', 'http://localhost'],
    ['HOST', 'localhost:80'],
    ['SYNC_ADMIN_LOGIN', '*'],
    ['SYNC_LOG_LEVEL', 'loud'],
    ['SYNC_ORIGINS', 'app.test'],
    ['SYNC_ORIGINS', 'https://app.test/'],
    ['SYNC_ORIGINS', '*'],
    ['SYNC_TRUST_PROXY', '10.0.0.1'],
    ['SYNC_DURABILITY', 'off'],
    ['SYNC_REDIS_REPLICAS', 'one'],
    ['SYNC_PASSWORD_COST', '1000'],
    ['SYNC_PASSWORD_COST', '1'],
    ['SYNC_PASSWORD_COST', '2097152'],
    ['SYNC_WORKER_PORT', 'yes'],
    ['SYNC_STOP_DELAY', '3s'],
    ['SYNC_STOP_DELAY', '301'],
    ['SYNC_REDIS_REPLICAS', '-1'],
    ['SYNC_ALLOW_RESET', 'perhaps'],
  ])('%s=%s is refused, with the expected and the given value', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(
      new RegExp(`^${name}: expected .+, got "${value.replace(/[*]/g, '\\*')}"`),
    )
  })

  test('reports all invalid variables together', () => {
    expect(() => readSettings({ PORT: 'x', SYNC_LOG_LEVEL: 'y' })).toThrow(/PORT.*SYNC_LOG_LEVEL/)
  })

  test.each(['production', 'staging', 'prod'])('NODE_ENV=%s needs a password', name => {
    expect(() => readSettings({ NODE_ENV: name })).toThrow(/SYNC_ADMIN_PASSWORD: expected a password/)
    expect(readSettings({ NODE_ENV: name, SYNC_ADMIN_PASSWORD: 'a long one of words' }).development).toBe(false)
    const trivial = { NODE_ENV: name, SYNC_ADMIN_LOGIN: 'operator', SYNC_ADMIN_PASSWORD: 'operatoroperator' }
    expect(() => readSettings(trivial)).toThrow(/^SYNC_ADMIN_PASSWORD: expected more than the login/)
    expect(readSettings({ ...trivial, NODE_ENV: 'development' }).adminPassword).toBe('operatoroperator')
  })
})
