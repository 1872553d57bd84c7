export {
  type Answer,
  NO_ANSWER_WORDS,
  type NoAnswer,
  type NoAnswerReason,
  type Outgoing,
  outgoing,
} from './call.ts'
export { type AllowedTargets, readAllowedTargets, type TargetProblem, targetProblem } from './target.ts'
