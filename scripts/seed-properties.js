import fc from 'fast-check'

// Runs in each test file before its tests; `prepare-tests.js` has chosen the seed.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) })
