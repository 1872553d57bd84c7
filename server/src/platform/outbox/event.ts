import type { EventDataOf, EventKind } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'

/** Whose event it is. */
interface Told {
  readonly environment: Environment
  /** `null`: of no installation alone, such as a change of the catalogue. */
  readonly installationId: string | null
  readonly storeId: string | null
  readonly subjectId: string
}

/** What happened, as an event that other parts of the service answer later. */
export interface DomainEvent extends Told {
  readonly kind: string
  /** Gap-free per subject: the version that the subject has after the change. */
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
}

/** What happened, as webhook endpoints are told it. Its number among the events of its subject is given by the database. */
export type PublicEvent = {
  readonly [Kind in EventKind]: Told & { readonly kind: Kind; readonly data: EventDataOf<Kind> }
}[EventKind]
