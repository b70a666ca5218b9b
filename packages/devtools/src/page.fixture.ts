import { JSDOM } from 'jsdom'

/** A page in this process, beside the engine and what Node has. */
const { window } = new JSDOM('<!doctype html><body></body>')
const { document, CSSStyleSheet } = window
Object.assign(globalThis, { window, document, CSSStyleSheet, IS_REACT_ACT_ENVIRONMENT: true })

// Both look for the page when they are loaded.
const library: typeof import('@testing-library/react') = await import('@testing-library/react')
export const { act, cleanup, render } = library
