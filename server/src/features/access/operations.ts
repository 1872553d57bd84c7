import { createStorefrontChallenge } from './operations/createStorefrontChallenge.ts'
import { getStoreAccessConfig } from './operations/getStoreAccessConfig.ts'
import { type ChallengeDeps, verifyStorefrontChallenge } from './operations/verifyStorefrontChallenge.ts'

/** The three operations of store access. */
export function accessOperations({ secret, grants }: ChallengeDeps) {
  return {
    getStoreAccessConfig,
    createStorefrontChallenge: createStorefrontChallenge(secret),
    verifyStorefrontChallenge: verifyStorefrontChallenge({ secret, grants }),
  }
}
