import type { Randomness } from '../../kernel/randomness.ts'
import type { JobHandlers } from '../../platform/jobs/index.ts'
import type { MailDeps } from './account-mails.ts'
import { answerRegistrations, REGISTRATION_JOB } from './register.ts'
import { answerResets, RESET_JOB } from './reset-password.ts'

/** What looks, off the request, whether an address is known, and writes the mail that is due. */
export function accountJobs(house: MailDeps & { readonly randomness: Randomness }): JobHandlers {
  return { [REGISTRATION_JOB]: answerRegistrations(house), [RESET_JOB]: answerResets(house) }
}
