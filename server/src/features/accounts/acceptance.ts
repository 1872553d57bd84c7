import type { Reader } from '../../platform/postgres/reader.ts'

/** A document that somebody says to have accepted. */
interface AcceptedDocument {
  readonly type: string
  readonly version: string
}

/**
 * Refuses `validation_failed` where a new customer names a document that is not in force, or has not accepted one that has
 * to be. Which those are is the business of the storefront, which ranks above accounts and is handed in.
 */
export type CheckAcceptance = (
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  occasion: { readonly now: Date },
) => Promise<void>
