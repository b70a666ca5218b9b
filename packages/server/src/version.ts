import manifest from '../package.json' with { type: 'json' }

/** The version of this package. The build takes it from the manifest. */
export const SERVER_VERSION: string = manifest.version
