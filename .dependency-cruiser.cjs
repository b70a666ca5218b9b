/**
 * Floors and walls. Floors: which package may import which. Walls: which folders of one package do not know each other.
 * `pnpm check` also plants one violation of every rule in a copy and expects each to be found (scripts/walls.ts).
 */

/** Package → the packages below that it may import; tests also import `testing`. Private packages that compose may name anything on the floors below. */
const floors = {
  protocol: [],
  store: ['protocol'],
  source: ['protocol'],
  plugin: ['protocol', 'source'],
  'admin-client': ['protocol'],
  model: ['protocol'],
  react: ['model'],
  devtools: ['model'],
  vite: ['model'],
  auth: ['protocol', 'source'],
  server: ['protocol', 'source', 'store'],
  push: ['protocol', 'source'],
  'store-sqlite': ['protocol', 'store'],
  'store-redis': ['protocol', 'store'],
  sql: ['protocol', 'source'],
  'create-godwit': ['terminal'],
  terminal: [],
  testing: [],
}

const tests = '\\.(test|fixture)\\.ts$'
const entries =
  'packages/[^/]+/src/(index|always|require-node|schemas|validate|node|driver|remote|fcm|apns|web-push|push-worker|react|browser|browser/worker|(history|conformance|jobs|drivers/suite|testing)/index)\\.ts$'
const npm = names => [`^(${names})(/|$)`, `node_modules/(${names})/`, `node_modules/@types/(${names})/`]

/** One wall: what `from` must not import. Tests may look over walls, never through floors. */
const wall = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { ...from, pathNot: [tests, ...(from.pathNot ?? [])] },
  to,
})

/** Packages as they look in an import: resolved to a folder or, where package.json does not name them, still by name. */
const packagesNamed = names => [`^packages/(${names})/`, `^@godwit/(${names})(/|$)`]
const anyPackage = ['^(packages|apps)/', '^@godwit/']

const floorRules = Object.entries(floors).map(([name, below]) => ({
  name: `floor-${name}`,
  comment: `packages/${name} may import ${below.length > 0 ? below.join(' and ') : 'no other package'}.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: { path: anyPackage, pathNot: packagesNamed([name, 'testing', ...below].join('|')) },
}))

const topRules = [
  {
    name: 'floor-top',
    comment: 'Nothing imports an app, the journeys or the benchmarks: they compose.',
    severity: 'error',
    from: { path: '^(packages|apps)/([^/]+)/' },
    to: { path: '^(apps/|packages/(e2e|bench)/)', pathNot: '^(packages|apps)/$2/' },
  },
  {
    name: 'floor-device',
    comment: 'A device app knows the model and its hooks alone, and what commands show in a terminal.',
    severity: 'error',
    from: { path: '^apps/device/' },
    to: {
      path: anyPackage,
      pathNot: ['^apps/device/', ...packagesNamed('model|react|devtools|vite|terminal|testing')],
    },
  },
  {
    name: 'floor-console',
    comment: 'The console knows the admin client and the protocol alone.',
    severity: 'error',
    from: { path: '^apps/console/' },
    to: { path: anyPackage, pathNot: ['^apps/console/', ...packagesNamed('admin-client|protocol|testing')] },
  },
  {
    name: 'public-entries-only',
    comment: 'Another package is its public entries: what its package.json exports.',
    severity: 'error',
    from: { path: '^((?:packages|apps)/[^/]+)/' },
    to: { path: '^packages/', pathNot: ['^$1/', entries] },
  },
  {
    name: 'by-name-only',
    comment:
      'Another package is imported by its name, never by a path into its folder. A build runs before there is a build of it.',
    severity: 'error',
    from: { path: '^((?:packages|apps)/[^/]+)/', pathNot: 'vite\\.config\\.ts$' },
    to: { path: '^(packages|apps)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  },
]

const server = '^packages/server/src/'
const model = '^packages/model/src/'
/** The wings of the server, from top to bottom: each may import those below it. */
const wings = ['start', 'http', 'admin', 'device', 'accounts', 'backend', 'base']
const separate = '(device/pull|device/push|backend/master|backend/query|admin/documents)'

const wingRules = wings
  .slice(1)
  .map((name, index) =>
    wall(
      `server-wing-${name}`,
      `${name}/ does not import the wings above it: ${wings.slice(0, index + 1).join(', ')}. It declares an interface, and start/ passes what implements it.`,
      { path: `${server}${name}/` },
      { path: `${server}((${wings.slice(0, index + 1).join('|')})/|index\\.ts$)` },
    ),
  )

/** The rooms of the model, from the lowest to the highest: each imports from rooms below it alone. */
const modelRooms = [
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

/** One wall per room. What stands beside the rooms are entries, which no room imports. */
const roomRules = (name, folder, rooms) =>
  rooms.map((room, at) =>
    wall(
      `${name}-room-${room}`,
      `${room}/ imports only from the rooms below it.`,
      { path: `${folder}${room}/` },
      { path: folder, pathNot: `${folder}(${rooms.slice(0, at + 1).join('|')})/` },
    ),
  )

const walls = [
  ...wingRules,
  wall(
    'server-loose-files',
    'Every file of the server is in a wing, but for its entry and what tests share.',
    { path: `${server}` },
    { path: server, pathNot: `${server}((${wings.join('|')}|testing)/|index\\.ts$)` },
  ),
  ...roomRules('model', model, modelRooms),
  wall(
    'server-separate',
    'push, master, query and documents do not import each other or pull: they meet in the store.',
    { path: `${server}(device/push|backend/master|backend/query|admin/documents)/` },
    { path: `${server}${separate}/`, pathNot: `${server}$1/` },
  ),
  wall(
    'server-pull',
    'A pull may ask for a query if one is due, and knows nothing else of its neighbours.',
    { path: `${server}device/pull/` },
    { path: `${server}${separate}/`, pathNot: [`${server}device/pull/`, `${server}backend/query/request-query\\.ts$`] },
  ),
  wall(
    'server-edge',
    'The framework is an edge: only http/ knows HTTP, apart from what calls plugin backends, and only the composition knows http/.',
    {
      path: server,
      pathNot: [
        `${server}http/`,
        `${server}(start/|index\\.ts$)`,
        `${server}backend/sources/(plugin-backend|guarded-client)\\.ts$`,
      ],
    },
    { path: [`${server}http/`, ...npm('express|helmet|cors'), '^(node:)?(http|https|http2)$'] },
  ),
  wall(
    'model-faces',
    'The two faces know the engine alone: records/, subscriptions/, query/ and definition/. Neither knows the other.',
    { path: `${model}(orm|typed)/` },
    { path: model, pathNot: `${model}($1|records|subscriptions|query|definition)/` },
  ),
  wall(
    'model-remote',
    'The remote face knows an open device by its faces and the interface of records/: nothing of database/, outbox/ or sync/.',
    { path: `${model}remote/` },
    {
      path: `${model}(columns|query|http|database|outbox|records|orm|events|run|blobs|bulk|sync|schedule)/`,
      pathNot: `${model}records/device-interface\\.ts$`,
    },
  ),
  wall(
    'model-sync-rows',
    'What syncs writes rows by records/store-row.ts alone, and knows neither face.',
    { path: `${model}(events|run|blobs|bulk|sync|schedule)/` },
    { path: `${model}(records|orm|typed)/`, pathNot: `${model}records/store-row\\.ts$` },
  ),
  wall(
    'sqlite-drivers',
    'Only drivers name a SQLite library.',
    {
      path: '^(packages|apps)/',
      // The demo's visits stand for a backend of somebody else, with a database of its own.
      pathNot: [
        `${model}drivers/`,
        '^packages/store-sqlite/src/(open-sqlite-store|backup/open-file)\\.ts$',
        // Bulk data is a SQLite file whatever the store is; Node carries what writes it.
        `${server}device/bulk/sqlite-file\\.ts$`,
        '^apps/server/src/demo/visit-backend\\.ts$',
        // A database of the company, by its address.
        '^apps/server/src/connect-database\\.ts$',
        '^packages/(e2e|bench)/',
      ],
    },
    { path: [...npm('better-sqlite3|@sqlite\\.org/sqlite-wasm'), '^(node:)?sqlite$'] },
  ),
  wall(
    'redis-drivers',
    'Only what connects names a Redis library.',
    {
      path: '^(packages|apps)/',
      pathNot: ['^packages/store-redis/src/(connect/|jobs/|testing/)', '^packages/(e2e|bench)/'],
    },
    { path: npm('redis|@redis|ioredis|bullmq') },
  ),
  wall(
    'testing-in-tests',
    'What starts programs for tests is for tests.',
    { path: '^(packages|apps)/', pathNot: ['^packages/(testing|e2e|bench)/', '/src/testing/'] },
    { path: packagesNamed('testing') },
  ),
  wall(
    'conformance-in-tests',
    'The conformance suite is for tests.',
    { path: '^(packages|apps)/', pathNot: ['^packages/store/src/conformance/', '^packages/e2e/'] },
    { path: ['^packages/store/src/conformance/', '^@godwit/store/conformance$'] },
  ),
  wall(
    'driver-suite-in-tests',
    'The suite of drivers is for tests.',
    { path: '^(packages|apps)/', pathNot: [`${model}drivers/suite/`, '^packages/e2e/'] },
    { path: [`${model}drivers/suite/`, '^@godwit/model/driver-suite$'] },
  ),
  wall(
    'protocol-ajv',
    'ajv stands behind @godwit/protocol/validate alone.',
    { path: '^packages/', pathNot: ['^packages/protocol/src/validate\\.ts$'] },
    { path: npm('ajv') },
  ),
  wall(
    'protocol-light',
    'The main entry of protocol stays light: a browser loads it, so no schema and no validator can be reached from it.',
    { path: '^packages/protocol/src/index\\.ts$' },
    { path: '^packages/protocol/src/(schemas|validate)\\.ts$', reachable: true },
  ),
  wall(
    'runs-in-a-browser',
    'What a browser loads names no module of Node.',
    {
      path: '^(packages/(protocol|admin-client|model)|apps/console)/src/',
      pathNot: [`${model}node\\.ts$`, `${model}drivers/`, `${model}testing/`],
    },
    { dependencyTypes: ['core'] },
  ),
  wall(
    'node-is-checked-first',
    'A command checks its Node before anything else loads: all but that check is imported dynamically.',
    { path: '^apps/[^/]+/src/(cli/)?godwit[^/]*\\.ts$' },
    { path: '.', pathNot: 'require-node\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
  ),
]

const hygiene = [
  { name: 'no-cycles', comment: 'Imports form no circle.', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'resolvable',
    comment: 'Every import leads somewhere.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  wall(
    'declared-dependencies',
    'What runs for users stands in the dependencies of its package.json, unless it is bundled. The libraries that the benchmarks measure do not.',
    { path: '^(packages/[^/]+|apps/[^/]+)/src/', pathNot: ['^packages/bench/src/libraries/'] },
    {
      pathNot: '^packages/terminal/',
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      dependencyTypesNot: ['type-only', 'npm-peer'],
    },
  ),
]

module.exports = {
  forbidden: [...floorRules, ...topRules, ...walls, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|apps)/[^/]+/(web/)?(dist|pages|templates|\\.types)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
