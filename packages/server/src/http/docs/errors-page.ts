import { ERROR_CODES, type ErrorCode, RETRYABLE_CODES } from '@godwit/protocol'
import { statusOf } from '../problem.js'
import { sentence, shell } from './html.js'

/** Returns every error code on one page, which the `type` of a problem links to. */
export function errorsPage(): string {
  const entries = Object.entries(ERROR_CODES).map(([code, meaning]) => {
    const later = RETRYABLE_CODES.has(code as ErrorCode) ? ' The same request may succeed later.' : ''
    const status = statusOf(code as ErrorCode)
    // Codes that occur only in outcomes or on devices have no HTTP status.
    const label = status === 500 && code !== 'internal' ? '' : ` <span class="status">${status}</span>`
    return `<article class="message" id="${code}"><h3><code>${code}</code>${label}</h3><p>${sentence(meaning)}${later}</p></article>`
  })
  return shell({
    title: 'Godwit: errors',
    base: '',
    header: '<header class="top"><h1>Godwit <small>errors</small></h1><p><a href="../docs">All routes</a></p></header>',
    main: `<main id="main" class="alone"><p>Every error carries a <code>code</code> from this list. Decide by the code: texts may change.</p>${entries.join('')}</main>`,
  })
}
