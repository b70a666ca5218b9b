/** A page of the site: a Markdown file of the repository. */
export interface Entry {
  /** From the root of the repository, with forward slashes. */
  readonly file: string
  /** What the navigation calls it. */
  readonly label: string
}

export interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

const entry = (file: string, label: string): Entry => ({ file, label })

/** Every page but the front page, in the order of the navigation. A new document is a line here. */
export const CONTENTS: readonly Section[] = [
  {
    title: 'Start',
    entries: [
      entry('docs/tutorial.md', 'Tutorial'),
      entry('docs/README.md', 'Where to begin'),
      entry('docs/glossary.md', 'Glossary'),
      entry('docs/how-it-works.md', 'How it works'),
      entry('docs/comparison.md', 'Comparison'),
      entry('docs/coming-from-others.md', 'Coming from other systems'),
      entry('docs/coming-from-rhoconnect.md', 'Coming from RhoConnect'),
      entry('docs/faq.md', 'FAQ'),
    ],
  },
  {
    title: 'Build an app',
    entries: [
      entry('packages/model/README.md', 'Model API'),
      entry('packages/react/README.md', 'React hooks'),
      entry('docs/react-app.md', 'A React app'),
      entry('docs/push.md', 'Push messages'),
      entry('packages/create-godwit/README.md', 'npm create godwit'),
      entry('packages/vite/README.md', 'Vite plugin'),
      entry('docs/bundlers.md', 'Other bundlers'),
      entry('packages/devtools/README.md', 'Devtools'),
      entry('docs/remote.md', 'A device in another thread'),
      entry('docs/temporary-ids.md', 'Temporary ids'),
      entry('docs/conflicts.md', 'Conflicts'),
      entry('docs/migrations.md', 'Migrations'),
      entry('docs/troubleshooting-apps.md', 'Troubleshooting'),
      entry('apps/device/README.md', 'The demo’s device'),
    ],
  },
  {
    title: 'Connect a backend',
    entries: [
      entry('docs/sources.md', 'Writing a source'),
      entry('docs/postgresql.md', 'Tables of a database'),
      entry('packages/sql/README.md', 'SQL package'),
      entry('docs/plugin-backend.md', 'A backend in any language'),
      entry('docs/sign-in.md', 'Sign-in with an identity provider'),
      entry('packages/server/README.md', 'Server package'),
      entry('packages/push/README.md', 'Push providers'),
      entry('packages/auth/README.md', 'Auth package'),
    ],
  },
  {
    title: 'Operate a server',
    entries: [
      entry('docs/operating/README.md', 'Overview'),
      entry('docs/operating/deploy.md', 'Deploy'),
      entry('docs/upgrade.md', 'Upgrade'),
      entry('docs/security-review.md', 'Security review'),
      entry('docs/operating/configure.md', 'Configure'),
      entry('docs/operating/commands.md', 'Commands'),
      entry('docs/operating/users-and-tokens.md', 'Users and tokens'),
      entry('docs/operating/sign-in.md', 'Sign-in'),
      entry('docs/operating/monitor.md', 'Monitor'),
      entry('docs/operating/limits.md', 'Limits'),
      entry('docs/operating/backup-and-restore.md', 'Backup and restore'),
      entry('docs/operating/redis.md', 'Redis'),
      entry('docs/operating/jobs-pings-and-blobs.md', 'Jobs, pings and blobs'),
      entry('docs/operating/push.md', 'Push messages'),
      entry('docs/operating/audit.md', 'Audit'),
      entry('docs/operating/troubleshoot.md', 'Troubleshoot'),
      entry('docs/console.md', 'Console'),
      entry('docs/sizing.md', 'Sizing'),
      entry('docs/errors.md', 'Errors'),
      entry('packages/admin-client/README.md', 'Admin client'),
      entry('apps/server/README.md', 'The godwit command'),
      entry('SECURITY.md', 'Security'),
    ],
  },
  {
    title: 'Understand it',
    entries: [
      entry('ARCHITECTURE.md', 'Architecture'),
      entry('docs/protocol.md', 'Protocol'),
      entry('docs/performance.md', 'Performance'),
      entry('packages/bench/notebook.md', 'Notebook of the benchmark'),
      entry('packages/e2e/simulator/README.md', 'Simulator'),
      entry('packages/e2e/requirements/README.md', 'Requirements'),
      entry('docs/decisions/README.md', 'Decisions'),
    ],
  },
  {
    title: 'Extend it',
    entries: [
      entry('CONTRIBUTING.md', 'Contributing'),
      entry('packages/protocol/README.md', 'Protocol package'),
      entry('packages/source/README.md', 'What a source is'),
      entry('packages/plugin/README.md', 'HTTP backends in Node'),
      entry('packages/store/README.md', 'What a store must do'),
      entry('packages/store-sqlite/README.md', 'SQLite store'),
      entry('packages/store-redis/README.md', 'Redis store'),
    ],
  },
]
