import { createStorefrontChallenge } from './operations/createStorefrontChallenge.ts'
import { getStoreAccessConfig } from './operations/getStoreAccessConfig.ts'
import { type ChallengeDeps, verifyStorefrontChallenge } from './operations/verifyStorefrontChallenge.ts'

/** Rows 11, 18 and 19 of the contract. */
export function accessOperations({ secret, grants }: ChallengeDeps) {
  return {
    getStoreAccessConfig,
    createStorefrontChallenge: createStorefrontChallenge(secret),
    verifyStorefrontChallenge: verifyStorefrontChallenge({ secret, grants }),
  }
}
