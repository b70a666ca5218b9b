import type { ReactNode } from 'react'

/** Paths in a view box of 24 by 24. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  sources:
    'M4 6c0-1.700 3.600-3 8-3s8 1.300 8 3-3.600 3-8 3-8-1.300-8-3zm0 0v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3',
  objects: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  users:
    'M9 11a4 4 0 100-8 4 4 0 000 8zM2.500 20c.5-3.500 3-5.500 6.500-5.500s6 2 6.500 5.500M16 3.500a4 4 0 010 7.300M18 14.800c2 .7 3.200 2.500 3.500 5.200',
  devices:
    'M7 2.500h10a1.500 1.500 0 011.500 1.500v16a1.500 1.500 0 01-1.500 1.500H7A1.500 1.500 0 015.500 20V4A1.500 1.500 0 017 2.500zM11 18.500h2',
  explain:
    'M12 21a9 9 0 100-18 9 9 0 000 18zM9.300 9.300a2.800 2.800 0 115.400.9c0 1.900-2.700 2.300-2.700 4M12 17.200v.1',
  mutations: 'M4 7h13l-3.500-3.500M20 17H7l3.500 3.500',
  jobs: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3.500 2',
  audit: 'M8 3.500h8l3.500 3.500v13.500h-15v-17zM8.500 10h7M8.500 13.500h7M8.500 17h4',
  tokens: 'M14.500 13.500a5 5 0 10-4-4L3 17v4h4v-2.500h2.500V16H12zM16.500 7.500v.1',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 104 0 2 2 0 00-4 0zM7 17a2 2 0 104 0 2 2 0 00-4 0z',
  more: 'M4 12a1 1 0 102 0 1 1 0 10-2 0M11 12a1 1 0 102 0 1 1 0 10-2 0M18 12a1 1 0 102 0 1 1 0 10-2 0',
  out: 'M14 4H6v16h8M10 12h10.500M17 8.500l3.500 3.500-3.500 3.500',
  warning: 'M12 3.500L2.500 20h19zM12 10v4.500M12 17.300v.1',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  cross: 'M6 6l12 12M18 6L6 18',
  refresh: 'M20 5v5h-5M4 19v-5h5M5.500 9.500A7.500 7.500 0 0118.800 8L20 10M4 14l1.200 2a7.500 7.500 0 0013.300-1.500',
  lock: 'M6 10.500h12v10H6zM8.500 10.500V7a3.500 3.500 0 017 0v3.500',
  empty: 'M4 13l2.500-8h11l2.500 8v6H4zM4 13h4.500l1.500 2.500h4l1.500-2.500H20',
  download: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M4 20h16',
  add: 'M12 5v14M5 12h14',
  book: 'M4 5c3-1.500 6-1.500 8 0 2-1.500 5-1.500 8 0v14c-3-1.500-6-1.500-8 0-2-1.500-5-1.500-8 0zM12 5v14',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon beside a text, hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
