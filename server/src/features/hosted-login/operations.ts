import type { Randomness } from '../../kernel/randomness.ts'
import { consumeHostedLoginReturn } from './operations/consumeHostedLoginReturn.ts'
import { initiateHostedLogin } from './operations/initiateHostedLogin.ts'

export interface HostedLoginDeps {
  /** Public URL of the pages door, without a trailing slash. */
  readonly pagesUrl: string
  readonly randomness: Randomness
}

/** Rows 29 and 30 of the contract. */
export function hostedLoginOperations({ pagesUrl, randomness }: HostedLoginDeps) {
  return {
    initiateHostedLogin: initiateHostedLogin(pagesUrl),
    consumeHostedLoginReturn: consumeHostedLoginReturn(randomness),
  }
}
