import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The part of Vite that is used here: the app installs it, not the server. */
interface Vite {
  createServer(options: { readonly root: string; readonly clearScreen: boolean; readonly logLevel: 'warn' }): Promise<{
    listen(): Promise<unknown>
    readonly resolvedUrls: { readonly local: readonly string[] } | null
  }>
}

const CONFIGS = ['vite.config.ts', 'vite.config.mts', 'vite.config.mjs', 'vite.config.js']

/** Returns whether the folder is an app that Vite serves. */
export const hasPages = (folder: string): boolean => CONFIGS.some(name => existsSync(join(folder, name)))

/** Serves the pages of a folder with the Vite that is installed there, in this process. Resolves with their address. */
export async function openPages(folder: string): Promise<string> {
  const path = createRequire(join(folder, 'package.json')).resolve('vite')
  const vite = (await import(pathToFileURL(path).href)) as Vite
  const server = await vite.createServer({ root: folder, clearScreen: false, logLevel: 'warn' })
  await server.listen()
  const [url] = server.resolvedUrls?.local ?? []
  if (url === undefined) throw new Error('expected an address of Vite on this machine, got none. Check server.host.')
  return url
}
