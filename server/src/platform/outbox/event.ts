import type { EventDataOf, EventKind } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'

/** The owner of an event. */
interface EventOwner {
  readonly environment: Environment
  /** `null` if it belongs to no single installation, such as a change of the catalog. */
  readonly installationId: string | null
  readonly storeId: string | null
  readonly subjectId: string
}

/** An internal event. */
export interface DomainEvent extends EventOwner {
  readonly kind: string
  /** The version of the subject after the change: gap-free per subject. */
  readonly sequence: number
  /** The facts that the other members do not contain. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event for webhook endpoints. The database assigns its sequence number within the subject. */
export type PublicEvent = {
  readonly [Kind in EventKind]: EventOwner & { readonly kind: Kind; readonly data: EventDataOf<Kind> }
}[EventKind]
