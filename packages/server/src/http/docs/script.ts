/** The script of the API page: searches routes, opens the one in the address, and inserts this server's address into examples. */
export const SCRIPT = `'use strict'
const search = document.getElementById('search')
const found = document.getElementById('found')
const operations = [...document.querySelectorAll('details.operation')].map(element => ({
  element,
  text: element.textContent.toLowerCase(),
  entry: document.querySelector('nav li[data-for="' + element.id + '"]'),
}))

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let shown = 0
  for (const { element, text, entry } of operations) {
    const fits = words.every(word => text.includes(word))
    element.hidden = !fits
    entry.hidden = !fits
    if (fits) shown++
  }
  for (const group of document.querySelectorAll('section.group')) {
    group.hidden = !group.querySelector('details.operation:not([hidden])')
  }
  document.body.classList.toggle('searching', words.length > 0)
  found.textContent = words.length === 0 ? '' : shown + ' of ' + operations.length
}

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!named) return
  if (named.hidden) {
    search.value = ''
    filter()
  }
  if (named.matches('details')) named.open = true
  named.scrollIntoView()
}

if (search) {
  search.addEventListener('input', filter)
  search.form.addEventListener('submit', event => {
    event.preventDefault()
    const [first] = operations.filter(({ element }) => !element.hidden)
    if (first) location.hash = first.element.id
  })
  document.addEventListener('keydown', event => {
    if (event.key === '/' && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault()
      search.focus()
    }
    if (event.key === 'Escape' && search.value !== '') {
      search.value = ''
      filter()
    }
  })
  for (const origin of document.querySelectorAll('.origin')) {
    origin.textContent = new URL('.', document.baseURI).href.replace(/\\/$/, '')
  }
  filter()
}
addEventListener('hashchange', openNamed)
openNamed()
`
