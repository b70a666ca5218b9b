/** Sources run as they are: the `source` condition of each package leads to its TypeScript, so tests need no build. */
const shared = {
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/scripts', '<rootDir>/site'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.types/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.types/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testEnvironment: '<rootDir>/scripts/jest/environment.js',
  setupFiles: ['<rootDir>/scripts/jest/seed-properties.js'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': ['@swc/jest', transpiled({ parser: { syntax: 'typescript' } })],
    '\\.tsx$': [
      '@swc/jest',
      transpiled({
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic' } },
      }),
    ],
  },
}

/** The name of a file decides its tier: `page.test.ts`, `page.deep.test.ts`, `page.night.test.ts`. CONTRIBUTING.md says what each tier is for. */
export default {
  projects: [
    { displayName: 'fast', testMatch: ['**/!(*.deep|*.night).test.ts'], ...shared },
    { displayName: 'deep', testMatch: ['**/*.deep.test.ts'], ...shared },
    { displayName: 'night', testMatch: ['**/*.night.test.ts'], ...shared },
  ],
  // A machine may be busy: what hangs is found late, what is slow is not taken for wrong.
  testTimeout: 120_000,
  // Larger workers free their memory for longer than jest waits, which then says that they failed to exit gracefully.
  workerIdleMemoryLimit: '800MB',
  globalSetup: '<rootDir>/scripts/jest/prepare.js',
  reporters: ['<rootDir>/scripts/jest/reporter.js'],
  collectCoverageFrom: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
}

function transpiled(jsc) {
  return {
    jsc: { target: 'es2022', experimental: { keepImportAttributes: true }, ...jsc },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  }
}
