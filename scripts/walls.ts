/**
 * Checks the import rules of .dependency-cruiser.cjs, and that each rule is effective: a copy of the workspace gets one forbidden import per
 * rule, all of which must be found. A rule without such an import is an error.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { run } from './run.ts'
import { copyWorkspace, root } from './workspace.ts'

const configuration = '.dependency-cruiser.cjs'

type Violation = readonly [file: string, ...specifiers: string[]]

const MODEL_ROOMS = [
  'platform',
  'definition',
  'columns',
  'query',
  'live',
  'http',
  'database',
  'outbox',
  'copies',
  'subscriptions',
  'records',
  'orm',
  'typed',
  'events',
  'run',
  'blobs',
  'bulk',
  'sync',
  'schedule',
  'sdk',
  'remote',
  'drivers',
  'browser',
]

/** Each room imports from the one above it, and the highest from an entry. */
const roomViolations = (name: string, folder: string, rooms: readonly string[]): Record<string, Violation> =>
  Object.fromEntries(
    rooms.map((room, at) => [
      `${name}-room-${room}`,
      [`${folder}/${room}/planted-room.ts`, `../${[...rooms, '.'][at + 1]}/planted-target.js`],
    ]),
  )

/** Rule → a file and imports forbidden in it, which are appended if the file exists. */
const violations: Record<string, Violation> = {
  ...roomViolations('model', 'packages/model/src', MODEL_ROOMS),
  'floor-protocol': ['packages/protocol/src/planted-up.ts', '@godwit/store'],
  'floor-store': ['packages/store/src/planted-up.ts', '@godwit/server'],
  'floor-source': ['packages/source/src/planted-up.ts', '@godwit/store'],
  'floor-plugin': ['packages/plugin/src/planted-up.ts', '@godwit/server'],
  'floor-admin-client': ['packages/admin-client/src/planted-up.ts', '@godwit/store'],
  'floor-model': ['packages/model/src/planted-up.ts', '../../store/src/index.js'],
  'floor-devtools': ['packages/devtools/src/planted-up.ts', '@godwit/react'],
  'floor-create-godwit': ['packages/create-godwit/src/planted-up.ts', '@godwit/model'],
  'floor-vite': ['packages/vite/src/planted-up.ts', '@godwit/server'],
  'floor-push': ['packages/push/src/planted-up.ts', '@godwit/server'],
  'floor-auth': ['packages/auth/src/planted-up.ts', '@godwit/server'],
  'floor-react': ['packages/react/src/planted-up.ts', '@godwit/protocol'],
  'floor-server': ['packages/server/src/planted-up.ts', '@godwit/store-sqlite'],
  'floor-store-sqlite': ['packages/store-sqlite/src/planted-up.ts', '../../server/src/index.js'],
  'floor-sql': ['packages/sql/src/planted-up.ts', '@godwit/server'],
  'floor-store-redis': ['packages/store-redis/src/planted-up.ts', '@godwit/server'],
  'floor-top': ['packages/admin-client/src/planted-top.ts', '../../bench/src/bench.js'],
  'floor-device': ['apps/device/src/planted-up.ts', '@godwit/admin-client'],
  'floor-console': ['apps/console/src/planted-up.ts', '@godwit/server'],
  'public-entries-only': ['packages/server/src/planted-inside.ts', '../../store/src/collections.js'],
  'by-name-only': ['packages/server/src/planted-path.ts', '../../store/src/index.js'],
  'server-separate': ['packages/server/src/device/push/planted.ts', '../../backend/master/planted-target.js'],
  'server-pull': ['packages/server/src/device/pull/planted.ts', '../../backend/query/planted-target.js'],
  'server-edge': [
    'packages/server/src/backend/sources/planted.ts',
    'express',
    'node:http',
    '../../http/planted-target.js',
  ],
  'server-loose-files': ['packages/server/src/start/planted-loose.ts', '../planted-target.js'],
  'server-wing-http': ['packages/server/src/http/planted-wing.ts', '../start/planted-target.js', '../index.js'],
  'server-wing-admin': ['packages/server/src/admin/audit/planted-wing.ts', '../../http/planted-target.js'],
  'server-wing-device': ['packages/server/src/device/blobs/planted-wing.ts', '../../admin/audit/planted-target.js'],
  'server-wing-accounts': ['packages/server/src/accounts/access/planted-wing.ts', '../../device/planted-target.js'],
  'server-wing-backend': ['packages/server/src/backend/jobs/planted-wing.ts', '../../accounts/planted-target.js'],
  'server-wing-base': ['packages/server/src/base/planted-wing.ts', '../backend/planted-target.js'],
  'model-faces': ['packages/model/src/orm/planted.ts', '../outbox/planted-target.js', '../typed/planted-target.js'],
  'model-remote': [
    'packages/model/src/remote/planted.ts',
    '../database/planted-target.js',
    '../records/planted-target.js',
  ],
  'model-sync-rows': ['packages/model/src/sync/planted.ts', '../records/planted-target.js'],
  'sqlite-drivers': ['packages/model/src/records/planted.ts', 'better-sqlite3', 'node:sqlite'],
  'redis-drivers': ['packages/store-redis/src/planted-redis.ts', 'redis', 'bullmq'],
  'testing-in-tests': ['packages/store-redis/src/planted-testing.ts', '@godwit/testing'],
  'floor-terminal': ['packages/terminal/src/planted-up.ts', '@godwit/store'],
  'floor-testing': ['packages/testing/src/planted-up.ts', '@godwit/store'],
  'conformance-in-tests': ['packages/store-sqlite/src/planted-conformance.ts', '@godwit/store/conformance'],
  'driver-suite-in-tests': ['packages/model/src/planted-suite.ts', './drivers/suite/index.js'],
  'protocol-ajv': ['packages/protocol/src/planted-ajv.ts', 'ajv', 'ajv/dist/2020.js'],
  'protocol-light': ['packages/protocol/src/index.ts', './validate.js'],
  'runs-in-a-browser': ['packages/protocol/src/planted-node.ts', 'node:fs'],
  'node-is-checked-first': ['apps/server/src/godwit.ts', '@godwit/store-sqlite', './planted-target.js'],
  'no-cycles': ['packages/store/src/planted-circle.ts', './planted-circle.js'],
  resolvable: ['packages/store/src/planted-nowhere.ts', './nowhere.js'],
  'declared-dependencies': ['packages/server/src/planted-undeclared.ts', 'fast-check'],
}

interface RuleViolation {
  readonly rule: string
  readonly file: string
}

async function cruise(folder: string): Promise<readonly RuleViolation[]> {
  const { output } = await run('depcruise', ['packages', 'apps', '--output-type', 'json'], { folder })
  const { summary } = JSON.parse(output) as {
    summary: { violations: readonly { from: string; rule: { name: string } }[] }
  }
  return summary.violations.map(({ from, rule }) => ({ rule: rule.name, file: from }))
}

function plant(copy: string): void {
  for (const [file, ...specifiers] of Object.values(violations)) {
    const path = join(copy, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, specifiers.map(specifier => `import '${specifier}'\n`).join(''), { flag: 'a' })
    for (const target of specifiers.filter(specifier => specifier.includes('planted-target'))) {
      const targetPath = join(dirname(path), target.replace(/\.js$/, '.ts'))
      mkdirSync(dirname(targetPath), { recursive: true })
      writeFileSync(targetPath, 'export {}\n')
    }
  }
}

async function findMissed(): Promise<readonly string[]> {
  const copy = copyWorkspace(['package.json', 'tsconfig.base.json', configuration])
  try {
    plant(copy)
    const found = await cruise(copy)
    return Object.entries(violations).flatMap(([rule, [file, ...specifiers]]) => {
      const times = found.filter(one => one.rule === rule && one.file === file).length
      return times >= specifiers.length ? [] : [`${rule} found ${times} of: ${specifiers.join(', ')} in ${file}`]
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const { forbidden } = createRequire(import.meta.url)(join(root, configuration)) as { forbidden: { name: string }[] }
const unshown = forbidden
  .filter(({ name }) => !(name in violations))
  .map(({ name }) => `${name} is shown by no violation`)

const [real, missed] = await Promise.all([run('depcruise', ['packages', 'apps']), findMissed()])
const problems = [...unshown, ...missed]
if (real.code !== 0) process.stderr.write(real.output)
if (problems.length > 0) process.stderr.write(`Floors and walls that do not hold:\n  ${problems.join('\n  ')}\n`)
if (real.code !== 0 || problems.length > 0) process.exit(1)
process.stdout.write(`${forbidden.length} floors and walls hold, each shown by a planted violation\n`)
