/**
 * Publishes every package to npm. A dry run by default: builds with declarations, checks the packed packages, and lets npm list what it would
 * publish. With `--publish`, publishes with provenance what the registry does not have yet; run again, it continues where it ended.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, published } from './pack.ts'
import { mustRun, run } from './run.ts'
import { type Manifest, root } from './workspace.ts'

/** Returns the packages in an order in which each comes after those that it depends on, so that none is installable before them. */
export function inOrder<One extends Pick<Manifest, 'name' | 'dependencies'>>(packages: readonly One[]): readonly One[] {
  const ordered = new Set<One>()
  const add = (one: One): void => {
    for (const other of packages) if (other !== one && other.name in (one.dependencies ?? {})) add(other)
    ordered.add(one)
  }
  for (const one of packages) add(one)
  return [...ordered]
}

/** What a release needs beside the packages. */
export interface ReleaseState {
  /** Changed files, as `git status --porcelain` lists them. */
  readonly changed: string
  /** Names of the files in `.changeset`. */
  readonly changesets: readonly string[]
  readonly repository: unknown
  /** Published packages without a changelog. */
  readonly withoutChangelog: readonly string[]
}

/** Returns what has to be done before packages can be published. */
export function missingForRelease({ changed, changesets, repository, withoutChangelog }: ReleaseState) {
  const pending = changesets.filter(name => name.endsWith('.md') && name !== 'README.md').length
  return [
    ...(changed === '' ? [] : [`There are changed files: commit them.\n${changed}`]),
    ...(pending === 0
      ? []
      : [`There are ${pending} pending changesets: run \`pnpm exec changeset version\` and commit.`]),
    ...(repository
      ? []
      : ['The root package.json has no repository: provenance needs it. Run `node scripts/manifests.ts` then.']),
    ...withoutChangelog.map(name => `${name} has no CHANGELOG.md: write it.`),
  ]
}

async function releaseState(): Promise<ReleaseState> {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly repository?: unknown
  }
  return {
    changed: (await mustRun('git', ['status', '--porcelain'])).trim(),
    changesets: readdirSync(join(root, '.changeset')),
    repository,
    withoutChangelog: published
      .filter(({ folder }) => !existsSync(join(folder, 'CHANGELOG.md')))
      .map(({ manifest }) => manifest.name),
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function isInRegistry({ name, version }: Manifest): Promise<boolean> {
  const { code, output } = await run('npm', ['view', `${name}@${version}`, 'version'])
  return code === 0 && output.includes(version)
}

/** RECIPE of a release: what is missing → build → check the packed packages → pack → publish in order. */
async function release({ isDryRun }: { readonly isDryRun: boolean }): Promise<void> {
  const missing = missingForRelease(await releaseState())
  for (const line of missing) say(`before a release: ${line}`)
  if (missing.length > 0 && !isDryRun) throw new Error('Nothing is published: see above.')
  for (const script of ['build.ts', 'packed.ts']) say((await mustRun('node', [`scripts/${script}`])).trim())
  const folder = mkdtempSync(join(tmpdir(), 'godwit-release-'))
  try {
    const tarballs = await pack(folder)
    for (const manifest of inOrder(published.map(one => one.manifest))) {
      if (!isDryRun && (await isInRegistry(manifest))) {
        say(`${manifest.name}@${manifest.version} is published already`)
        continue
      }
      const prefix = `/${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}`
      const tarball = tarballs.find(path => path.includes(`${prefix}.tgz`))
      if (tarball === undefined) throw new Error(`expected a tarball of ${manifest.name}, got ${tarballs.join(', ')}.`)
      await mustRun('npm', ['publish', tarball, '--access', 'public', isDryRun ? '--dry-run' : '--provenance'])
      say(`${manifest.name}@${manifest.version} ${isDryRun ? 'would be published' : 'is published'}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await release({ isDryRun: !process.argv.includes('--publish') })
