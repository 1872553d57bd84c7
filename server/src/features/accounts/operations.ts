import type { Randomness } from '../../kernel/randomness.ts'
import type { JobHandlers } from '../../platform/jobs/index.ts'
import type { AccountDeps } from './deps.ts'
import { EMAIL_CHANGE_JOB, emailChangeJob } from './email-change.ts'
import type { MailDeps } from './mails.ts'
import { confirmOfficialPasswordReset } from './operations/confirmOfficialPasswordReset.ts'
import { registerOfficialStorefrontCustomer } from './operations/registerOfficialStorefrontCustomer.ts'
import { requestOfficialPasswordReset } from './operations/requestOfficialPasswordReset.ts'
import { passwordResetJob, RESET_JOB } from './password-reset.ts'
import { REGISTRATION_JOB, registrationJob } from './registration.ts'

/** Rows 15 to 17 of the contract. */
export function accountOperations(deps: AccountDeps) {
  return {
    confirmOfficialPasswordReset: confirmOfficialPasswordReset(deps),
    requestOfficialPasswordReset: requestOfficialPasswordReset(deps),
    registerOfficialStorefrontCustomer: registerOfficialStorefrontCustomer(deps),
  }
}

/** The jobs that look up an address and send the mail, outside the request. */
export function accountJobs(deps: MailDeps & { readonly randomness: Randomness }): JobHandlers {
  return {
    [REGISTRATION_JOB]: registrationJob(deps),
    [RESET_JOB]: passwordResetJob(deps),
    [EMAIL_CHANGE_JOB]: emailChangeJob(deps),
  }
}
