import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from './parts/icon.js'
import type { RouteName } from './routes.js'

type Load = () => Promise<{ readonly default: ComponentType }>

/** A page of the console. */
export interface PageRoute {
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly group: 'data' | 'people' | 'server'
  /** The page is hidden from roles that may not call this route. */
  readonly needs: RouteName
  readonly load: Load
  readonly Page: LazyExoticComponent<ComponentType>
  /** Returns the component if it is loaded, so that it renders synchronously. */
  readonly here: () => ComponentType | undefined
}

function page(line: Omit<PageRoute, 'Page' | 'here'>): PageRoute {
  let found: ComponentType | undefined
  const load: Load = async () => {
    const loaded = await line.load()
    found = loaded.default
    return loaded
  }
  return { ...line, load, Page: lazy(load), here: () => found }
}

export const pages: readonly PageRoute[] = [
  page({
    path: 'overview',
    title: 'Overview',
    icon: 'overview',
    group: 'data',
    needs: 'system.state',
    load: () => import('./pages/overview/overview.js'),
  }),
  page({
    path: 'sources',
    title: 'Sources',
    icon: 'sources',
    group: 'data',
    needs: 'sources.all',
    load: () => import('./pages/sources/sources.js'),
  }),
  page({
    path: 'feeds',
    title: 'Feeds',
    icon: 'feeds',
    group: 'data',
    needs: 'sources.feeds',
    load: () => import('./pages/feeds/feeds.js'),
  }),
  page({
    path: 'objects',
    title: 'Objects',
    icon: 'objects',
    group: 'data',
    needs: 'users.objects',
    load: () => import('./pages/objects/objects.js'),
  }),
  page({
    path: 'users',
    title: 'Users',
    icon: 'users',
    group: 'people',
    needs: 'users.list',
    load: () => import('./pages/users/users.js'),
  }),
  page({
    path: 'devices',
    title: 'Devices',
    icon: 'devices',
    group: 'people',
    needs: 'clients.list',
    load: () => import('./pages/devices/devices.js'),
  }),
  page({
    path: 'explain',
    title: 'Why is it missing?',
    icon: 'explain',
    group: 'people',
    needs: 'operations.explain',
    load: () => import('./pages/explain/explain.js'),
  }),
  page({
    path: 'mutations',
    title: 'Mutations',
    icon: 'mutations',
    group: 'server',
    needs: 'operations.undecided',
    load: () => import('./pages/mutations/mutations.js'),
  }),
  page({
    path: 'jobs',
    title: 'Jobs',
    icon: 'jobs',
    group: 'server',
    needs: 'system.jobs',
    load: () => import('./pages/jobs/jobs.js'),
  }),
  page({
    path: 'audit',
    title: 'Audit',
    icon: 'audit',
    group: 'server',
    needs: 'operations.audit',
    load: () => import('./pages/audit/audit.js'),
  }),
  page({
    path: 'tokens',
    title: 'Tokens',
    icon: 'tokens',
    group: 'server',
    needs: 'system.tokens',
    load: () => import('./pages/tokens/tokens.js'),
  }),
  page({
    path: 'settings',
    title: 'Settings',
    icon: 'settings',
    group: 'server',
    needs: 'system.readAppServer',
    load: () => import('./pages/settings/settings.js'),
  }),
]
