/** A page of any browser. Scripts are expressions; promises are awaited. */
export interface Tab {
  evaluate(script: string): Promise<unknown>
  /** Resolves when the expression is true. Rejects after 30 seconds, or the given milliseconds. */
  waitFor(script: string, options?: WaitOptions): Promise<void>
  reload(): Promise<void>
  close(): Promise<void>
}

export interface WaitOptions {
  /** Milliseconds between two evaluations. Default: 50. */
  readonly every?: number
  /** Milliseconds. Default: 30,000. */
  readonly within?: number
}

/** Pages that share storage and locks, separate from those of other profiles. */
export interface Profile {
  /** Opens a page; `script` runs before the page's own scripts. */
  open(url: string, script?: string): Promise<Tab>
  close(): Promise<void>
}

/** A browser in which a test opens profiles. */
export interface TestBrowser {
  newProfile(): Promise<Profile>
  close(): Promise<void>
}

/** A browser that can be killed and whose profile remains. */
export interface KillableBrowser {
  readonly profile: Profile
  /** Closes it as a user does: data to keep is on disk. */
  close(): Promise<void>
  /** Kills all of its processes with SIGKILL. */
  kill(): Promise<void>
}

/** A browser installed on this machine. */
export interface BrowserKind {
  readonly name: 'Chromium' | 'Firefox'
  /** Opens one whose profiles are temporary. */
  open(options?: OpenOptions): Promise<TestBrowser>
  /** Opens one whose profile is in a folder. */
  openOn(folder: string, options?: OnDiskOptions): Promise<KillableBrowser>
}

export interface OnDiskOptions {
  /** Bytes that each page's origin may store. Default: the browser's limit. */
  readonly quota?: number
}

export interface OpenOptions {
  /** Whether every window is private. */
  readonly isPrivate?: boolean
  /** Whether all profiles are one, on disk. Default: each is separate. */
  readonly isOnDisk?: boolean
}

/** A host name for this machine in every browser of the tests, which none of them treats as `localhost`. */
export const PLAIN_NAME = 'plain.test'
