import { consumeHostedLoginReturn } from './operations/consumeHostedLoginReturn.ts'
import { initiateHostedLogin } from './operations/initiateHostedLogin.ts'
import type { HostedLoginDeps } from './parts.ts'

/** Rows 29 and 30 of the contract. */
export function hostedLoginOperations(parts: HostedLoginDeps) {
  return {
    initiateHostedLogin: initiateHostedLogin(parts),
    consumeHostedLoginReturn: consumeHostedLoginReturn(parts),
  }
}
