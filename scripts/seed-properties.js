import fc from 'fast-check'

// In each test file, before it runs: `prepare-tests.js` has chosen.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) })
