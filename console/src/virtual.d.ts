declare module 'virtual:operator-routes' {
  import type { OperatorArea } from '@vitrine/contract/operator'

  /** Method and path of each operation of the operator API, the access it requires, and what is done if it has no answer. */
  export const routes: Readonly<
    Record<
      string,
      readonly [
        method: string,
        path: string,
        area: OperatorArea | '',
        needs: 'read' | 'write',
        perStore: 0 | 1,
        unanswered: 'repeat' | 'check' | '',
      ]
    >
  >
}

declare module 'virtual:contract-enums' {
  import type { EventKind, LegalDocument, Scope, WebhookDelivery } from '@vitrine/contract'

  export const deliveryStatuses: readonly WebhookDelivery['status'][]
  export const eventKinds: readonly EventKind[]
  export const legalTypes: readonly LegalDocument['type'][]
  export const scopes: readonly Scope[]
}

declare module '*.css'
