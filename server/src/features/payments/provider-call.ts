import { createHash } from 'node:crypto'
import { amountTaken, type Intent, providerKey } from './intents/intent.ts'
import { PAYMENT_PATHS, type PaymentProvider, type ProviderCall } from './providers/provider.ts'

/** Build the provider call for the intent's step. */
export function callOf(
  intent: Intent,
  facts: Pick<ProviderCall, 'chargeReference' | 'order'>,
  signal: AbortSignal,
): ProviderCall {
  const { id, chargeId, step, currency, environment, providerReference } = intent
  const returnPath = `${PAYMENT_PATHS.return}?payment=${id}&key=${returnKeyOf(intent)}`
  return {
    ...facts,
    intentId: id,
    step,
    reference: providerReference,
    key: providerKey(id, step),
    authorizeKey: providerKey(chargeId ?? id, 'authorize'),
    amount: step === 'capture' ? amountTaken(intent) : intent.amount,
    currency,
    environment,
    returnPath,
    abandonPath: `${returnPath}&abandoned=true`,
    signal,
  }
}

/** The key of the return URL, derived from the checkout page's URL with its key. Merchants and logs see the id, which alone is useless. */
export function returnKeyOf({ id, returnUrl }: Intent): string {
  return createHash('sha256').update(`${id} ${returnUrl}`).digest('base64url')
}

/** Send the intent's step. */
export function send(provider: PaymentProvider, { step }: Intent, call: ProviderCall) {
  switch (step) {
    case 'authorize':
      return provider.authorize(call)
    case 'capture':
      return provider.capture(call)
    case 'void':
      return provider.cancel(call)
    case 'refund':
      return provider.refund(call)
  }
}
