/** The expected value of a setting, in words and as a check. */
export type SettingRule = readonly [expected: string, fits: (value: unknown) => boolean]

/** The rule of a boolean setting. */
export const flag: SettingRule = ['true or false', value => typeof value === 'boolean']

/** The rule of a whole number of at least `least`. */
export const wholeFrom = (least: number): SettingRule => [
  `a whole number from ${least}`,
  value => Number.isSafeInteger(value) && (value as number) >= least,
]

/** The rule of a number from 0 to `most`, inclusive. `unit` is for the message. */
export const numberUpTo = (unit: string, most: number): SettingRule => [
  `a number of ${unit} from 0 to ${most}`,
  value => typeof value === 'number' && value >= 0 && value <= most,
]

/** Returns the rule of a name; undefined if the table has no such own property, as for `__proto__`. */
export const ruleOf = (
  rules: { readonly [name: string]: SettingRule | undefined },
  name: string,
): SettingRule | undefined => (Object.hasOwn(rules, name) ? rules[name] : undefined)
