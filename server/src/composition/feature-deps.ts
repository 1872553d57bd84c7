import type { Config } from '../config.ts'
import { requireGrantFrom, type StoreGrants, storeGrants } from '../features/access/index.ts'
import type { AccountDeps } from '../features/accounts/index.ts'
import { type QuoteSigners, quoteSigners } from '../features/carts/index.ts'
import type { CheckoutDeps } from '../features/checkout/index.ts'
import type { HostedLoginDeps } from '../features/hosted-login/index.ts'
import { authorizationServer, type OAuthDeps } from '../features/oauth/index.ts'
import {
  type CheckVatIds,
  RuleSnapshots,
  TaxAnswers,
  type TaxProviders,
  taxService,
  vatChecker,
  viesRegistry,
} from '../features/pricing/index.ts'
import { checkAcceptance, siteName } from '../features/storefront/index.ts'
import type { WebhookDeps } from '../features/webhooks/index.ts'
import type { Runtime } from './runtime.ts'

/** Dependencies of features that more than one door uses. */
export interface FeatureDeps {
  readonly grants: StoreGrants
  readonly accounts: AccountDeps
  readonly signers: QuoteSigners
  readonly checkVatIds: CheckVatIds
  readonly checkout: CheckoutDeps
  readonly hostedLogin: HostedLoginDeps
  readonly oauth: OAuthDeps
  readonly webhooks: WebhookDeps
}

export function createFeatureDeps(runtime: Runtime): FeatureDeps {
  const { config, database, limiter, secrets, keyring, revisions, randomness, log } = runtime
  const { pagesUrl, vies } = config
  const grants = storeGrants(secrets['store-access'])
  const signers = quoteSigners(secrets['quote-signature'])
  return {
    grants,
    accounts: {
      requireGrant: requireGrantFrom(grants, limiter),
      checkAcceptance: (reader, accepted, { now }) => checkAcceptance(reader, accepted, 'registering', { now }),
      mails: { siteName: siteName(revisions), pagesUrl },
    },
    signers,
    checkVatIds: vatChecker({ database, registry: vies && viesRegistry(vies), log }),
    checkout: {
      pagesUrl,
      pageSecret: secrets['checkout-page'],
      rules: new RuleSnapshots({ checksVatIds: vies !== null, taxAnswers: taxAnswersOf(runtime) }),
      signers,
    },
    hostedLogin: { pagesUrl, randomness },
    oauth: {
      server: authorizationServer(config),
      pagesUrl,
      requestSecret: secrets['oauth-request'],
      tokenSecret: secrets['oauth-token'],
      randomness,
    },
    webhooks: {
      cursorSecret: secrets.cursor,
      fixtureSecret: secrets['webhook-fixture'],
      keyring,
      randomness,
      allowedTargets: config.webhookAllowedTargets,
    },
  }
}

/** The configured tax providers, keyed by the names that stores choose from. */
export function taxProvidersOf({ taxService: service }: Pick<Config, 'taxService'>): TaxProviders {
  return new Map(service === null ? [] : [['service', taxService(service)]])
}

function taxAnswersOf({ config, database, log }: Runtime): TaxAnswers {
  return new TaxAnswers({ database, providers: taxProvidersOf(config), log })
}
