export {
  type CallInput,
  type CallOptions,
  type ClientOptions,
  type VitrineClient,
  VitrineError,
  vitrine,
} from './client.ts'
export { type PrivateJwk, type ProofRequest, type Prover, prover } from './proof.ts'
