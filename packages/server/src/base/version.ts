import manifest from '../../package.json' with { type: 'json' }

/** The version of this package, which the build reads from the manifest. */
export const SERVER_VERSION: string = manifest.version
