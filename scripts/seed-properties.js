import fc from 'fast-check'

// In each test file, before it runs: `property-seed.js` has chosen.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) })
