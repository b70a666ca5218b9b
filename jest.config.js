/** Sources run as they are: the `source` condition of each package leads to its TypeScript, so tests need no build. */
export default {
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/scripts', '<rootDir>/site'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.types/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.types/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testEnvironment: '<rootDir>/scripts/test-environment.js',
  // A machine may be busy: what hangs is found late, what is slow is not taken for wrong.
  testTimeout: 120_000,
  globalSetup: '<rootDir>/scripts/prepare-tests.js',
  setupFiles: ['<rootDir>/scripts/seed-properties.js'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2022',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
    '\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  collectCoverageFrom: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
  testSequencer: '<rootDir>/scripts/test-sequencer.js',
  reporters: ['<rootDir>/scripts/test-reporter.js'],
}
