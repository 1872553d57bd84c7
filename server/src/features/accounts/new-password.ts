import { refuse } from '../../kernel/refusal.ts'
import { hashPassword } from '../../platform/auth/password-hash.ts'
import { commonPasswords } from './common-passwords.ts'
import { passwordFault, passwordFaults } from './password-rules.ts'

/**
 * Hashes a password that may be taken. About 30 ms on another thread, so it is done before a transaction is open.
 *
 * Refusals: `password_too_weak`, naming the field and the reason.
 */
export async function hashNewPassword(password: string, email: string | null, pointer: string): Promise<string> {
  const fault = passwordFault(password, email, await commonPasswords())
  if (fault) {
    refuse('password_too_weak', { details: [{ in: 'body', pointer, code: fault, message: passwordFaults[fault] }] })
  }
  return hashPassword(password)
}
