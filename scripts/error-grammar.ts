const habits: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/^Expected /, 'expected …, in small letters'],
  [/\bmust\b|\bshould\b/i, 'expected X, got Y'],
  [/; [^;`]* came\b/, 'expected X, got Y'],
  [/\b(?:somebody|nobody|whoever)\b/i, 'the user, the client, the process: which one'],
  [/\b(?:invalid|illegal|please|sorry|oops)\b/i, 'what is wrong, then what to do'],
  [/(?<!\bthere )\bis no (?!longer\b)/i, 'is not a …'],
  [/!(?!=)/, 'no exclamation mark'],
]

/** Exempted texts, which users know and a test pins, or which a library compares. */
const kept: readonly string[] = [
  'Expected a token as `godwit token create` prints it,',
  'This file is no picture that this browser can read.',
  'sources: expected an array of what defineSource makes.',
  'origins: expected an array of texts.',
  'godwit … has no option ….',
  'godwit … expects …',
  'The backend answered …….',
  'must not hold NUL.',
  'must differ by more than case.',
  'Connection is closed.',
  'a database that is no number',
]

/**
 * Returns the flaws of an error message, which says "expected X, got Y", or what is wrong and then what to do.
 * For a fragment, which is part of a longer message, only the words are checked.
 */
export function flawsOf(message: string, { isFragment = false } = {}): readonly string[] {
  if (kept.some(text => message.includes(text))) return []
  const flaws = habits.flatMap(([pattern, write]) => {
    const found = pattern.exec(message)?.[0].trim()
    return found === undefined ? [] : [`${JSON.stringify(found)}: write ${write}`]
  })
  const flaw = isFragment ? undefined : shapeFlaw(message)
  return flaw === undefined ? flaws : [...flaws, flaw]
}

function shapeFlaw(message: string): string | undefined {
  if (/\bexpected\b/i.test(message))
    return /\b(?:got|found)\b|: expected (?:one|some) of\b/.test(message)
      ? undefined
      : 'say what came: expected X, got Y'
  return /^There is no |[.:;,] \S/.test(message) ? undefined : 'say what to do: what is wrong, then what to do'
}
