import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { STYLE } from './style.js'

/** A shadow tree with a separate style sheet. A content security policy does not restrict constructed sheets. */
export function Shadow({ children }: { readonly children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot>()
  useLayoutEffect(() => {
    if (host.current === null) return
    const made = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    if (made.adoptedStyleSheets?.length === 0) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(STYLE)
      made.adoptedStyleSheets = [sheet]
    }
    setRoot(made)
  }, [])
  return (
    <div ref={host} style={{ height: '100%' }}>
      {root && createPortal(children, root)}
    </div>
  )
}
