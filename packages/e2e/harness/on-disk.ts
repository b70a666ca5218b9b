import { temporaryFolder } from './stores.js'
import type { BrowserKind, Tab, TestBrowser } from './tabs.js'

/** Opens a browser whose profiles are all one, empty and on disk; closing a profile closes only the tabs it opened. */
export async function openOnDisk({ openOn }: Pick<BrowserKind, 'openOn'>): Promise<TestBrowser> {
  const folder = temporaryFolder()
  const { profile, kill } = await openOn(folder.path)
  return {
    async newProfile() {
      const tabs: Tab[] = []
      return {
        async open(url, script) {
          const tab = await profile.open(url, script)
          tabs.push(tab)
          return tab
        },
        async close() {
          for (const tab of tabs.splice(0)) await tab.close()
        },
      }
    },
    async close() {
      await kill()
      folder.remove()
    },
  }
}
