/** What most of the passwords are made of that people choose and guessers try first, in lower case and without digits. */
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

/** Fewer letters beside common words are no password of one's own. */
const MIN_OTHER_LETTERS = 4

/** Whether a password is nothing but words, rows of keys, digits and signs that guessers try first, however it is spelled. */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const plain = lower.replaceAll(/./gu, character => LOOKALIKES[character] ?? character)
  return ownLetters(lower) < MIN_OTHER_LETTERS || ownLetters(plain) < MIN_OTHER_LETTERS
}

function ownLetters(text: string): number {
  let letters = text.replaceAll(/[^\p{Letter}]/gu, '')
  for (const word of WORDS) letters = letters.replaceAll(word, ' ')
  return [...letters.replaceAll(' ', '')].length
}
