import { kindOf, settingError } from './setting-error.js'

/** Throws `value_not_allowed` unless the text is an https address; http is allowed on this machine only. */
export function checkAddress(name: string, text: unknown): void {
  if (typeof text !== 'string' || !URL.canParse(text)) throw settingError(name, 'an https address', kindOf(text))
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))) return
  throw settingError(name, 'an https address, or http on this machine', JSON.stringify(text))
}

const isLocal = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d+){3}$/.test(name)
