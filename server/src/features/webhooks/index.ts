/** The door of webhooks: where installations are told what happened, and telling them. */
export { publishCatalogEvents } from './catalog-events.ts'
export { type DeliveryFigures, deliveryFigures } from './deliveries/figures.ts'
export { sweepDeliveries } from './deliveries/record.ts'
export { type DeliveryDeps, DeliveryRounds } from './deliveries/rounds.ts'
export type { WebhookDeps } from './deps.ts'
export { requireOpenableSecrets, resealSecrets, sweepSecrets } from './endpoints/secret-store.ts'
export { type EndpointFigure, endpointFigures } from './endpoints/stats.ts'
export {
  listAllEndpoints,
  listEndpointDeliveries,
  replayAsOperator,
  sendTest,
  WebhookError,
} from './operate-webhooks.ts'
export {
  type OwnedEndpoint,
  pageOfDeliveries,
  pageOfEndpoints,
  readDeliveryWithBody,
  readOwnedEndpoint,
  replayDelivery,
  setEndpointStatus,
} from './operator.ts'
export { webhookOperations } from './webhook-operations.ts'
