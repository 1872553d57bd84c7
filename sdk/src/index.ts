export { type CallInput, type CallOptions, type ClientOptions, VitrineError, type VitrineClient, vitrine } from './client.ts'
export { type PrivateJwk, type ProofRequest, type Prover, prover } from './proof.ts'
