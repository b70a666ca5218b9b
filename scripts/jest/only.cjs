/** A filter of jest: keeps only the test file that `TEST_ONLY` names, whatever patterns the run was given. */
module.exports = paths => ({ filtered: paths.filter(path => path === process.env.TEST_ONLY) })
