import { comparableEmail } from '../../kernel/email.ts'

/** Why a password is too easy to guess. */
export type PasswordFault = 'too_common' | 'repetitive' | 'sequence' | 'like_email'

/** The sentence for developers; pages have their own words. */
export const passwordFaults: Readonly<Record<PasswordFault, string>> = {
  too_common: 'It is one of the passwords that are tried first.',
  repetitive: 'It repeats one short piece.',
  sequence: 'It is a run of neighbouring characters.',
  like_email: 'It is the e-mail address, or the name in it.',
}

/** A piece of up to four characters, and nothing but that again. */
const REPETITION = /^(.{1,4})\1+$/su

/**
 * What makes a password easy to guess, or null. There are no rules about what it must be made of: length and not being
 * known are what counts.
 *
 * @param isCommon whether a password is on the list of common ones; asked in small letters
 * @see NIST SP 800-63B §3.1.1.2
 */
export function passwordFault(
  password: string,
  email: string | null,
  isCommon: (password: string) => boolean,
): PasswordFault | null {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isCommon(plain)) return 'too_common'
  if (REPETITION.test(plain)) return 'repetitive'
  if (isSequence(plain)) return 'sequence'
  if (email !== null && isLikeEmail(plain, comparableEmail(email))) return 'like_email'
  return null
}

/** `abcdefgh`, `98765432`. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!)
  const step = codes[1]! - codes[0]!
  return Math.abs(step) === 1 && codes.every((code, index) => index === 0 || code - codes[index - 1]! === step)
}

function isLikeEmail(password: string, email: string): boolean {
  return password === email || password === email.slice(0, email.lastIndexOf('@'))
}
