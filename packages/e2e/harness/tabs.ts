/** A page of a browser of any make. Scripts are expressions; a promise is awaited. */
export interface Tab {
  evaluate(script: string): Promise<unknown>
  /** Resolves when the expression is true. Rejects after 30 seconds, or the milliseconds given. */
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

/** Pages that share storage and locks, apart from those of other profiles. */
export interface Profile {
  /** Opens a page; a given script runs before those of the page. */
  open(url: string, script?: string): Promise<Tab>
  close(): Promise<void>
}

/** A browser of which a test opens as many profiles as it needs. */
export interface TestBrowser {
  newProfile(): Promise<Profile>
  close(): Promise<void>
}

/** A browser over a profile that outlives it, and that can be killed at any moment. */
export interface KillableBrowser {
  readonly profile: Profile
  /** Ends it as a person does: what it keeps for later is on disk. */
  close(): Promise<void>
  /** SIGKILL for all of its processes. */
  kill(): Promise<void>
}

/** A make of browser on this machine. */
export interface BrowserKind {
  readonly name: 'Chromium' | 'Firefox'
  /** Opens one whose profiles go with it. */
  open(options?: OpenOptions): Promise<TestBrowser>
  /** Opens one whose profile lies in a folder. */
  openOn(folder: string, options?: OnDiskOptions): Promise<KillableBrowser>
}

export interface OnDiskOptions {
  /** Bytes that the origin of each page may store. Default: what the browser gives. */
  readonly quota?: number
}

export interface OpenOptions {
  /** Every window is a private one. */
  readonly isPrivate?: boolean
  /** All profiles are one, on disk. Default: each is a separate one. */
  readonly isOnDisk?: boolean
}

/** A name that leads to this machine in every browser of the tests, and that none of them takes for `localhost`. */
export const PLAIN_NAME = 'plain.test'
