import { comparableEmail } from '../../kernel/email.ts'

/** Why a password is too weak. */
export type PasswordFault = 'too_short' | 'too_common' | 'repetitive' | 'sequence' | 'like_email'

/** Messages for developers. Pages have their own texts. */
export const passwordFaults: Readonly<Record<PasswordFault, string>> = {
  too_short: 'It has fewer than 8 characters.',
  too_common: 'It is one of the most common passwords.',
  repetitive: 'It repeats a few characters.',
  sequence: 'It is a sequence of adjacent characters.',
  like_email: 'It is the email address or its local part.',
}

const LENGTH_MIN = 8
/** Up to four characters, repeated. */
const REPETITION = /^(.{1,4})\1+$/su

/**
 * Why a password is too weak, or null. There are no composition rules: a password must only be long enough and hard to guess.
 *
 * @param isCommon tests a lowercase password against the list of common ones
 * @see NIST SP 800-63B §3.1.1.2
 */
export function passwordFault(
  password: string,
  email: string | null,
  isCommon: (password: string) => boolean,
): PasswordFault | null {
  const plain = password.normalize('NFKC').toLowerCase()
  if (Array.from(password).length < LENGTH_MIN) return 'too_short'
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
