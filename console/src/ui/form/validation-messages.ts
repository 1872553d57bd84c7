import { translate, translateMessage } from '../../language.ts'

/** Plain words for the messages of schema validation, with the values in them. */
const VALIDATION_MESSAGES: readonly (readonly [pattern: RegExp, sentence: (...values: string[]) => string])[] = [
  [/must match pattern/, () => translate('Invalid format.')],
  [/must match format "email"/, () => translate('Enter a valid email address.')],
  [/must match format "ur[il]"/, () => translate('Enter a valid URL, starting with https://.')],
  [/must match format/, () => translate('Invalid format.')],
  [/must not have fewer than 1 (?:characters|items|properties)/, () => translate('Required.')],
  [/must not have fewer than (\d+) characters/, (min) => translate('At least {min} characters.', { min })],
  [/must not have more than (\d+) characters/, (max) => translate('At most {max} characters.', { max })],
  [/must not have fewer than (\d+) (?:items|properties)/, (min) => translate('At least {min} entries.', { min })],
  [/must not have more than (\d+) (?:items|properties)/, (max) => translate('At most {max} entries.', { max })],
  [/must not have duplicate items/, () => translate('An entry is listed twice.')],
  [
    /^Must be one of: |must be equal to (?:constant|one of the allowed values)/,
    () => translate('This value is not available.'),
  ],
  [/ is required\.$/, () => translate('Required.')],
  [/must be >= (\S+)\.$/, (min) => translate('At least {min}.', { min })],
  [/must be <= (\S+)\.$/, (amount) => translate('At most {amount}.', { amount })],
  [/^(?:Must be from )?(\d+) to (\d+)\.?$/, (min, max) => translate('From {min} to {max}.', { min, max })],
  [/^(\d+) to (\d+) characters\.$/, (min, max) => translate('{min} to {max} characters.', { min, max })],
  [/must be (?:integer|number)/, () => translate('Enter a number.')],
  [/must be > (\S+)\.$/, (min) => translate('More than {min}.', { min })],
  [/must be < (\S+)\.$/, (max) => translate('Less than {max}.', { max })],
  [/must be multiple of (\S+)\.$/, (step) => translate('A multiple of {step}.', { step })],
  [/must be array/, () => translate('Expected a list.')],
  [/must be object/, () => translate('Expected an object.')],
  [/must be string/, () => translate('Expected text.')],
  [/must be boolean/, () => translate('Expected true or false.')],
  [/must not have additional properties \((.+)\)/, (names) => translate('Unknown: {names}.', { names })],
  [/must be null|must match exactly one schema/, () => translate('Invalid format.')],
]

/** What is wrong with a value, in plain words instead of schema terms. */
export function fieldErrorText(message: string): string {
  for (const [pattern, sentence] of VALIDATION_MESSAGES) {
    const [found, ...values] = pattern.exec(message) ?? []
    if (found !== undefined) return sentence(...values)
  }
  return translateMessage(message)
}

const MISSING = /^(?:\/|(?<where>\/\S+)): must have required propert(?:y|ies) .*\((?<names>[^)]*)\)\.$/

/** The message of the schema about the field of a line. */
const SCHEMA_MESSAGE = /^(\/\S*): (must .+)$/s

/** Why a line was rejected, in plain words instead of schema terms. */
export function describeReason(reason: string): string {
  const { where, names } = MISSING.exec(reason)?.groups ?? {}
  if (names === undefined) {
    const [, pointer, problem] = SCHEMA_MESSAGE.exec(reason) ?? []
    if (problem === undefined) return translateMessage(reason.replace(/^\/: /, ''))
    return `${pointer === '/' ? '' : `${pointer}: `}${fieldErrorText(problem)}`
  }
  return where === undefined
    ? translate('Missing {names}.', { names })
    : translate('{where}: missing {names}.', { where, names })
}
