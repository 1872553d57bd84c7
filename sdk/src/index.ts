export {
  type CallInput,
  type CallOptions,
  type CallOutput,
  type ClientOptions,
  type ListId,
  type VitrineClient,
  vitrine,
} from './client.ts'
export { AnswerTimeout, UnreadableAnswer, VitrineError } from './errors.ts'
export type * from './generated/methods.ts'
export type { OperationId } from './generated/operations.ts'
export type * from './generated/resources.ts'
export { type HostedLoginHelper, hostedLogin, type PendingLogin } from './hosted-login.ts'
export {
  type OAuthOptions,
  type OAuthSession,
  oauth,
  type PendingAuthorization,
  type TokenSet,
  type TokenStore,
} from './oauth.ts'
export {
  generateKeyPair,
  type KeyPair,
  type PrivateJwk,
  type ProofRequest,
  type Prover,
  prover,
  type SigningKey,
} from './proof.ts'
export { type QuoteContent, type QuoteRefusal, QuoteVerificationError, verifyQuote } from './quotes.ts'
export { RedirectError, type RedirectRefusal } from './redirect.ts'
export type { Clock, RetryOptions, TransportOptions } from './transport.ts'
export {
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
  type WebhookVerifier,
  type WebhookVerifierOptions,
  webhookVerifier,
} from './webhooks.ts'
