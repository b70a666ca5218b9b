/** What the pages do in a browser: light or dark, search, copy code. Without script they read as well. */
import MiniSearch from 'minisearch'
import type { SearchEntry } from './search-entries.ts'

const SCHEMES = ['light dark', 'light', 'dark'] as const
const NAMES = { 'light dark': 'As the system', light: 'Light', dark: 'Dark' } as const
const FOUND = 12

function scheme(button: HTMLButtonElement): void {
  const kept = (): (typeof SCHEMES)[number] =>
    SCHEMES.find(one => one === localStorage.getItem('scheme')) ?? 'light dark'
  const show = (): void => {
    document.documentElement.style.colorScheme = kept()
    button.dataset['scheme'] = kept()
    button.title = NAMES[kept()]
  }
  button.addEventListener('click', () => {
    localStorage.setItem('scheme', SCHEMES[(SCHEMES.indexOf(kept()) + 1) % SCHEMES.length] ?? 'light dark')
    show()
  })
  show()
}

function search(dialog: HTMLDialogElement, opener: HTMLButtonElement): void {
  const root = document.body.dataset['root'] ?? ''
  const input = dialog.querySelector('input') as HTMLInputElement
  const list = dialog.querySelector('ul') as HTMLUListElement
  const none = dialog.querySelector('.none') as HTMLParagraphElement
  let index: MiniSearch<SearchEntry> | undefined
  let isLoading = false
  Object.assign(window, {
    searchEntries(entries: readonly SearchEntry[]) {
      index = new MiniSearch<SearchEntry>({
        fields: ['heading', 'page', 'body'],
        storeFields: ['address', 'page', 'heading', 'body'],
        searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
      })
      index.addAll(entries)
      find()
    },
  })

  /** The passages come as a script, since pages that are opened as files may not fetch. */
  function open(): void {
    if (!isLoading)
      document.head.append(Object.assign(document.createElement('script'), { src: `${root}assets/search.js` }))
    isLoading = true
    dialog.showModal()
    input.select()
  }

  function find(): void {
    const found = index?.search(input.value).slice(0, FOUND) ?? []
    list.replaceChildren(...found.map(one => item(one as unknown as SearchEntry)))
    none.textContent = input.value.trim() === '' || found.length > 0 ? '' : `Nothing is called “${input.value}”.`
  }

  function item({ address, page, heading, body }: SearchEntry): HTMLLIElement {
    const link = Object.assign(document.createElement('a'), { href: root + address })
    const title = Object.assign(document.createElement('b'), { textContent: heading })
    const small = Object.assign(document.createElement('small'), {
      textContent: page === heading ? body.slice(0, 110) : `${page} · ${body.slice(0, 90)}`,
    })
    link.append(title, small)
    link.addEventListener('click', () => dialog.close())
    const line = document.createElement('li')
    line.append(link)
    return line
  }

  opener.addEventListener('click', open)
  input.addEventListener('input', find)
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('keydown', event => {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && at === -1) links[0]?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    if (next < 0) input.focus()
    else links[next]?.focus()
  })
  addEventListener('keydown', event => {
    const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(event.target.tagName)
    const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
    if (!isAsked || dialog.open) return
    event.preventDefault()
    open()
  })
}

function copyButton(block: HTMLPreElement): void {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  })
  button.addEventListener('click', async () => {
    const text = block.querySelector('code')?.textContent ?? ''
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    button.textContent = isCopied ? 'Copied' : 'Not allowed'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  const frame = Object.assign(document.createElement('div'), { className: 'code' })
  block.replaceWith(frame)
  frame.append(block, button)
}

/** All pages are listed where there is room beside the text. */
function openNavigation(details: HTMLDetailsElement): void {
  const wide = matchMedia('(min-width: 960px)')
  const follow = (): void => {
    details.open = wide.matches
  }
  wide.addEventListener('change', follow)
  follow()
  details.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

const one = <Found extends Element>(selector: string): Found => document.querySelector(selector) as Found
scheme(one('[data-scheme]'))
search(one('[data-search]'), one('[data-find]'))
document.querySelectorAll('pre').forEach(copyButton)
const details = document.querySelector<HTMLDetailsElement>('.pages details')
if (details) openNavigation(details)
