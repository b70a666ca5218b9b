import { basename, resolve } from 'node:path'
import type { App, Backend, Choices } from './choices.js'

/** Versions of packages that others publish. */
const OTHERS = {
  '@types/node': '^22.0.0',
  '@types/react': '^19.0.0',
  '@types/react-dom': '^19.0.0',
  '@vitejs/plugin-react': '^6.0.0',
  react: '^19.0.0',
  'react-dom': '^19.0.0',
  typescript: '^6.0.0',
  vite: '^8.0.0',
} as const

const RUN: { readonly [One in App]: readonly string[] } = {
  react: ['@godwit/model', '@godwit/react', 'react', 'react-dom'],
  node: ['@godwit/model'],
}
const BUILD: { readonly [One in App]: readonly string[] } = {
  react: ['@godwit/vite', '@types/react', '@types/react-dom', '@vitejs/plugin-react', 'vite'],
  node: [],
}

/** What the server runs beside itself, as words of `godwit dev`. */
export const companionOf = (backend: Backend): readonly string[] =>
  backend === 'node' ? ['--with', 'backend.ts'] : backend === 'python' ? ['--with', 'python3 backend.py'] : []

/** Returns the name of the app as npm accepts it. */
export const nameOf = ({ folder }: Pick<Choices, 'folder'>): string =>
  basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'my-app'

/** Returns the package.json of an app, with Godwit's packages in this version. */
export function manifest(choices: Choices, version: string): object {
  const { app, backend } = choices
  const versions = (names: readonly string[]) =>
    Object.fromEntries(names.toSorted().map(name => [name, (OTHERS as Record<string, string>)[name] ?? `^${version}`]))
  const words = companionOf(backend).map(word => (word.includes(' ') ? `"${word}"` : word))
  return {
    name: nameOf(choices),
    private: true,
    type: 'module',
    scripts: {
      dev: ['godwit dev', ...(app === 'node' ? ['app.ts'] : []), ...words].join(' '),
      ...(backend === 'sql' && { database: 'node --env-file=.env node_modules/godwit/dist/godwit.js sql install' }),
      ...(app === 'react' && { build: 'vite build' }),
      types: 'tsc',
      test: 'node --test test/two-devices.ts',
    },
    dependencies: versions([...RUN[app], ...(backend === 'node' ? ['@godwit/plugin'] : []), 'godwit']),
    devDependencies: versions([...BUILD[app], '@types/node', 'typescript']),
  }
}
