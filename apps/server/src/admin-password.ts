/** The minimum length of an admin password in production. */
export const MIN_LENGTH = 12
const MIN_DIFFERENT_CHARACTERS = 6

/** Returns what an admin password lacks, as an expectation and the actual value; undefined if it is strong enough. */
export function flawOfPassword(password: string, login: string): string | undefined {
  const characters = [...password]
  if (characters.length < MIN_LENGTH) return `at least ${MIN_LENGTH} characters, got ${characters.length}`
  const different = new Set(characters).size
  if (different < MIN_DIFFERENT_CHARACTERS)
    return `at least ${MIN_DIFFERENT_CHARACTERS} different characters, got ${different}`
  if (isMadeOf(password, login)) return 'more than the login, got the repeated login'
  if (isRun(characters)) return 'no sequence such as abcdef or 123456, got one'
  return isCommon(password) ? 'an uncommon password, got a common one' : undefined
}

const isMadeOf = (password: string, login: string): boolean =>
  login !== '' && password.toLowerCase().replaceAll(login.toLowerCase(), '').length < MIN_DIFFERENT_CHARACTERS

/** True if most characters are equal or adjacent to the previous one. */
function isRun(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((one, at) => (one.codePointAt(0) ?? 0) - (characters[at]?.codePointAt(0) ?? 0))
  return steps.filter(step => Math.abs(step) <= 1).length > steps.length / 2
}

/** The words, in lower case and without digits, of which most common passwords consist. */
const WORDS: readonly string[] = `
  password passwort passwd pass administrator administrateur admin root superuser operator user guest test demo default sample example
  qwertyuiop qwertzuiop azertyuiop qwerty qwertz azerty asdfghjkl asdfgh asdf zxcvbnm zxcvbn zxcv yxcvbnm qazwsxedc qazwsx qaz wsx edc rfv tgb
  letmein welcome changeme change login access secret master monkey dragon shadow sunshine princess football baseball superman batman
  iloveyou love trustno starwars whatever freedom hello flower michael jordan charlie jennifer ashley computer internet server service
  system network office company business enterprise production staging development database backup secure security
  godwit sync oracle cisco docker kubernetes redis postgres mysql mongodb linux windows ubuntu debian
  spring summer autumn winter january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday correct horse battery staple abcdefg abcdef abcd abc the my is new old and
`
  .trim()
  .split(/\s+/)
  .sort((one, other) => other.length - one.length)

const LOOKALIKES: { readonly [character: string]: string } = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  5: 's',
  $: 's',
  7: 't',
}

/** A password with fewer letters besides common words is too weak. */
const MIN_OTHER_LETTERS = 4

/** True if a password consists only of common words, rows of keys, digits and signs, also in look-alike spelling. */
function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const plain = lower.replaceAll(/./gu, character => LOOKALIKES[character] ?? character)
  return countOtherLetters(lower) < MIN_OTHER_LETTERS || countOtherLetters(plain) < MIN_OTHER_LETTERS
}

function countOtherLetters(text: string): number {
  let letters = text.replaceAll(/[^\p{Letter}]/gu, '')
  for (const word of WORDS) letters = letters.replaceAll(word, ' ')
  return [...letters.replaceAll(' ', '')].length
}
