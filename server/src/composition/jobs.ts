import { limits } from '@vitrine/contract'
import { accountJobs, type MailDeps } from '../features/accounts/index.ts'
import {
  catalogJobs,
  IMPORT_JOB,
  type ImportJobDeps,
  importJob,
  VOCABULARY_JOB,
  vocabularyJob,
} from '../features/catalog/index.ts'
import { transferJobs } from '../features/checkout/index.ts'
import { fulfillmentJobs, type LicenseVault } from '../features/fulfillment/index.ts'
import { MEDIA_SWEEP_JOB, sweepPictures } from '../features/media/index.ts'
import { attachedInvoices, orderLinkJobs } from '../features/orders/index.ts'
import { DISPUTE_OPENED_JOB, type Payments, paymentJobs } from '../features/payments/index.ts'
import { privacyJobs } from '../features/privacy/index.ts'
import { legalJobs, letterheads } from '../features/storefront/index.ts'
import { DeliveryRounds } from '../features/webhooks/index.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Randomness } from '../kernel/randomness.ts'
import type { JobHandlers } from '../platform/jobs/index.ts'
import { mailJobs, smtpTransport } from '../platform/mail/index.ts'
import { type OutboundHttp, outboundHttp } from '../platform/outbound/index.ts'
import { observeDeliveries } from './metrics.ts'
import { transferTerms } from './payments.ts'
import type { Runtime } from './runtime.ts'

interface JobDeps {
  readonly mails: MailDeps
  readonly payments: Payments
  readonly licenses: LicenseVault
}

/** Jobs that features and mail enqueue. The worker adds its periodic jobs. */
export function createJobs(
  { config, clock, ids, randomness, mediaStore }: Runtime,
  { mails, payments, licenses }: JobDeps,
): JobHandlers {
  const { smtpUrl, mailFrom } = config
  return {
    ...paymentJobs(payments),
    ...transferJobs({ transfer: transferTerms(config.bankTransfer) }),
    ...mailJobs(
      smtpUrl === null ? null : smtpTransport({ url: smtpUrl, from: mailFrom }),
      letterheads(config),
      attachedInvoices,
    ),
    ...accountJobs({ ...mails, randomness }),
    ...catalogJobs(),
    [VOCABULARY_JOB]: vocabularyJob({ clock }),
    [IMPORT_JOB]: importJob({
      clock,
      recordEnd: recordImportEnd(ids),
      findUsed: findUsedProducts,
      mediaUrl: config.media.url,
    }),
    ...fulfillmentJobs({ siteName: mails.siteName, vault: licenses }),
    ...legalJobs(),
    ...orderLinkJobs(),
    ...privacyJobs,
    [MEDIA_SWEEP_JOB]: sweepPictures({ store: mediaStore, workDirectory: config.media.workDirectory, clock }),
    ...operatorJobs(config.operatorUrl, randomness),
  }
}

/** Imports the operator modules with the first job that needs them: a password reset or a dispute. */
function operatorJobs(operatorUrl: string, randomness: Randomness): JobHandlers {
  return {
    'operators.reset': async (job, context) => {
      const { operatorResetJob } = await import('../operator/operations/settings/operator-mails.ts')
      return operatorResetJob({ randomness, operatorUrl })(job, context)
    },
    [DISPUTE_OPENED_JOB]: async (job, context) => {
      const { disputeMailJob } = await import('../operator/operations/sales/dispute-mail.ts')
      return disputeMailJob(operatorUrl)(job, context)
    },
  }
}

/** The audit log is part of the operator API: a worker imports its module when the first product import ends. */
function recordImportEnd(ids: IdSource): ImportJobDeps['recordEnd'] {
  return async (tx, { before, after, by, now }) => {
    const { recordImportEnd: record } = await import('../operator/operations/catalog/import-audit.ts')
    record(tx, { before, after, by, now, ids })
  }
}

/** The catalog may not read orders and carts. A module of the operator API finds every reference to a product. */
const findUsedProducts: ImportJobDeps['findUsed'] = async (reader, productIds) => {
  const { findUsedProducts: find } = await import('../operator/operations/catalog/products-in-use.ts')
  return find(reader, productIds)
}

export interface WebhookDelivery {
  readonly deliveries: DeliveryRounds
  readonly webhookHttp: OutboundHttp
}

export function createWebhookDelivery(runtime: Runtime): WebhookDelivery {
  const { config, database, clock, ids, randomness, keyring, log, metrics } = runtime
  const webhookHttp = outboundHttp({
    allowed: config.webhookAllowedTargets,
    timeoutMs: limits.webhooks.timeoutSeconds * 1000,
  })
  const deliveries = new DeliveryRounds({
    database,
    clock,
    ids,
    randomness,
    keyring,
    outboundHttp: webhookHttp,
    log,
  })
  observeDeliveries(metrics, deliveries)
  return { deliveries, webhookHttp }
}
