export {
  type CallInput,
  type CallOptions,
  type CallOutput,
  type ClientOptions,
  UnreadableAnswer,
  type VitrineClient,
  VitrineError,
  vitrine,
} from './client.ts'
export { type PrivateJwk, type ProofRequest, type Prover, prover } from './proof.ts'
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
