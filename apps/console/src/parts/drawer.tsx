import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.js'

interface DrawerProps {
  readonly title: string
  /** A second line below the title, such as an id. */
  readonly detail?: string
  readonly close: () => void
  readonly children: ReactNode
}

/** Details of a list item, beside the list, which stays usable. Escape closes the drawer and restores the focus. */
export function Drawer({ title, detail, close, children }: DrawerProps): ReactNode {
  const panel = useRef<HTMLElement>(null)
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    const onKey = ({ key }: KeyboardEvent): void => {
      // A modal dialog above the drawer handles the key itself.
      if (key === 'Escape' && !document.querySelector('dialog:modal')) latest.current()
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <aside ref={panel} className="drawer" aria-label={title} tabIndex={-1}>
      <div className="drawer-head">
        <div className="drawer-title">
          <h2 className="cut">{title}</h2>
          {detail !== undefined && (
            <div className="mono soft small cut" title={detail}>
              {detail}
            </div>
          )}
        </div>
        <button type="button" className="button plain icon-only" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <div className="drawer-body">{children}</div>
    </aside>
  )
}
