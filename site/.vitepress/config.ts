import { copyFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { CONTENTS } from '../src/contents.ts'
import { repositoryLinks } from '../src/links.ts'
import { addressOf, pathInSite, root, sitePages } from '../src/pages.ts'
import { writePlainText } from '../src/plain-text.ts'

/** Files that have a fixed address. */
const PUBLIC = [
  ['apps/console/public/icon.svg', 'icon.svg'],
  ['docs/pictures/preview-1200.jpg', 'preview.jpg'],
] as const

/** Where the project is published: fields of the root's package.json, absent until somebody publishes it. */
const { homepage, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly homepage?: string
  readonly repository?: { readonly url: string }
}
const repositoryUrl = repository?.url.replace(/^git\+|\.git$/g, '')
const pages = sitePages()
const documents = globSync('**/*.md', { cwd: root, exclude: path => /(^|\/)(node_modules|dist|\.[a-z]+)$/.test(path) })

export default defineConfig({
  srcDir: '..',
  // Every Markdown file that is not a page; the others keep their place in the repository as their address.
  srcExclude: documents.map(path => path.replaceAll('\\', '/')).filter(path => !pages.includes(path)),
  rewrites: Object.fromEntries(pages.map(file => [file, pathInSite(file)])),
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  lang: 'en',
  title: 'Godwit',
  description: 'Offline-first sync for business apps: local SQLite on every device, one server, your backend as it is.',
  ...(homepage !== undefined && { sitemap: { hostname: homepage } }),
  head: [
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'Godwit' }],
    ['meta', { property: 'og:image', content: new URL('preview.jpg', homepage ?? 'http://localhost').href }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }],
  ],
  transformPageData({ title, description, frontmatter }) {
    const head = [['meta', { property: 'og:title', content: title || 'Godwit' }]]
    if (description) head.push(['meta', { property: 'og:description', content: description }])
    return { frontmatter: { ...frontmatter, head } }
  },
  markdown: {
    // Documents are Markdown alone: what looks like a tag is text.
    html: false,
    linkify: false,
    languageAlias: { caddyfile: 'nginx' },
    anchor: { slugify: slug },
    config: markdown =>
      repositoryLinks(markdown, {
        pages: new Set(pages),
        repository: repositoryUrl && `${repositoryUrl}/blob/main/`,
      }),
  },
  vite: {
    // The programs of VitePress import `vue` from the folder of each page: it is a dependency of the root.
    build: { chunkSizeWarningLimit: 2000, reportCompressedSize: false },
    server: { fs: { allow: [root] } },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    externalLinkIcon: true,
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'Model API', link: '/packages/model/' },
      { text: 'Operate', link: '/docs/operating/' },
      { text: 'Errors', link: '/docs/errors' },
    ],
    sidebar: CONTENTS.map(({ title, entries }) => ({
      text: title,
      items: entries.map(({ file, label }) => ({ text: label, link: addressOf(file) })),
    })),
    ...(repositoryUrl !== undefined && {
      editLink: { pattern: `${repositoryUrl}/edit/main/:path`, text: 'Edit this page' },
      socialLinks: [{ icon: 'github', link: repositoryUrl }],
    }),
  },
  buildEnd({ outDir }) {
    writePlainText(outDir, pages)
    for (const [file, name] of PUBLIC) copyFileSync(join(root, file), join(outDir, name))
  },
})
