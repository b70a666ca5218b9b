import { isCommon } from './common-passwords.js'

/** The least number of characters of an admin password in production. */
export const MIN_LENGTH = 12
const MIN_DIFFERENT_CHARACTERS = 6

/** What is wrong with the password of an admin that the network can reach, as an expectation and what came; undefined: nothing. */
export function flawOfPassword(password: string, login: string): string | undefined {
  const characters = [...password]
  if (characters.length < MIN_LENGTH) return `at least ${MIN_LENGTH} characters, got ${characters.length}`
  const different = new Set(characters).size
  if (different < MIN_DIFFERENT_CHARACTERS)
    return `at least ${MIN_DIFFERENT_CHARACTERS} different characters, got ${different}`
  if (isMadeOf(password, login)) return 'more than the login, got the login over and over'
  if (isRun(characters)) return 'no run like abcdef or 123456, got one'
  return isCommon(password) ? 'words or letters of your own, got a common password' : undefined
}

const isMadeOf = (password: string, login: string): boolean =>
  login !== '' && password.toLowerCase().replaceAll(login.toLowerCase(), '').length < MIN_DIFFERENT_CHARACTERS

/** Mostly the neighbour of the character before: up, down or the same. */
function isRun(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((one, at) => (one.codePointAt(0) ?? 0) - (characters[at]?.codePointAt(0) ?? 0))
  return steps.filter(step => Math.abs(step) <= 1).length > steps.length / 2
}
