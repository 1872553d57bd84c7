import type { Environment } from '../http/handler.ts'

/** What happened, as an event that other parts answer later. */
export interface DomainEvent {
  readonly kind: string
  readonly environment: Environment
  readonly installationId: string | null
  readonly storeId: string | null
  readonly subjectId: string
  /** Gap-free per subject: the version that the subject has after the change. */
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
}
