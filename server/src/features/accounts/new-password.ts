import { lazily } from '../../kernel/async/lazily.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashPassword } from '../../platform/auth/password-hash.ts'
import { type PasswordFault, passwordFault, passwordFaults } from './password-rules.ts'

/** Tests a lowercase password against the 49,000 most common. Loaded on first use: 60 ms and a few megabytes. */
export const commonPasswords = lazily(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = new Set(dictionary['passwords-common'])
  return (password: string) => known.has(password)
})

/** Why a new password is too weak, or null. */
export async function newPasswordFault(password: string, email: string | null): Promise<PasswordFault | null> {
  return passwordFault(password, email, await commonPasswords())
}

/**
 * Checks and hashes a new password. Takes about 30 ms on another thread: call it before the transaction.
 *
 * Refusals: `password_too_weak`, with the field and the reason.
 */
export async function hashNewPassword(password: string, email: string | null, field: string): Promise<string> {
  const fault = await newPasswordFault(password, email)
  if (fault) refuse('password_too_weak', { faults: [{ field, code: fault, message: passwordFaults[fault] }] })
  return hashPassword(password)
}
