/** The door of webhooks: where installations are told what happened, and telling them. */
export { announceCatalogue } from './catalogue-events.ts'
export { sweepDeliveries } from './delivery-record.ts'
export { type DeliveryDeps, DeliveryRounds } from './delivery-rounds.ts'
export { type EndpointFigure, endpointFigures } from './endpoint-figures.ts'
export type { WebhookDeps } from './parts.ts'
export { requireOpenableSecrets, resealSecrets, sweepSecrets } from './secret-store.ts'
export { type DeliveryFigures, deliveryFigures } from './webhook-figures.ts'
export { webhookOperations } from './webhook-operations.ts'
export {
  type OwnedEndpoint,
  pageOfDeliveries,
  pageOfEndpoints,
  readDeliveryWithBody,
  readOwnedEndpoint,
  replayDelivery,
  sendTest,
  setEndpointStatus,
} from './webhooks-for-operators.ts'
