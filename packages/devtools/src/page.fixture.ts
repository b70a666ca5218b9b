import { JSDOM } from 'jsdom'

/** A DOM in this process, together with the engine and Node. */
const { window } = new JSDOM('<!doctype html><body></body>')
const { document, CSSStyleSheet } = window
Object.assign(globalThis, { window, document, CSSStyleSheet, IS_REACT_ACT_ENVIRONMENT: true })

// Both look for the page at load time.
const library: typeof import('@testing-library/react') = await import('@testing-library/react')
export const { act, cleanup, render } = library
