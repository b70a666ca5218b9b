import { JSDOM } from 'jsdom'

/** A DOM in this process, together with the engine and Node. */
const { window } = new JSDOM('<!doctype html><body></body>')
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })

// Both look for the DOM at load time.
const library: typeof import('@testing-library/react') = await import('@testing-library/react')
export const { act, cleanup, render } = library
export const screen: typeof library.screen = library.screen
