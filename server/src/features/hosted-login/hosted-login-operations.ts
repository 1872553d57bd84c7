import { consumeHostedLoginReturn } from './operations/consumeHostedLoginReturn.ts'
import { initiateHostedLogin } from './operations/initiateHostedLogin.ts'
import type { HostedLoginParts } from './parts.ts'

/** Rows 29 and 30 of the contract. */
export function hostedLoginOperations(parts: HostedLoginParts) {
  return {
    initiateHostedLogin: initiateHostedLogin(parts),
    consumeHostedLoginReturn: consumeHostedLoginReturn(parts),
  }
}
