export {
  NO_RESPONSE_MESSAGES,
  type NoResponse,
  type OutboundHttp,
  type OutboundResponse,
  outboundHttp,
} from './client.ts'
export { type AllowedTargets, readAllowedTargets, type TargetProblem, targetProblem } from './target.ts'
