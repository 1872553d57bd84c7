export {
  type Answer,
  NO_RESPONSE_MESSAGES,
  type NoResponse,
  type NoResponseReason,
  type OutboundHttp,
  outboundHttp,
} from './client.ts'
export { type AllowedTargets, readAllowedTargets, type TargetProblem, targetProblem } from './target.ts'
