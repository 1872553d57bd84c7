/** The public interface of webhooks: endpoints of installations and integrations, and the delivery of events to them. */
export { publishCatalogEvents } from './catalog-events.ts'
export { deliveryFigures } from './deliveries/figures.ts'
export { sweepDeliveries } from './deliveries/record.ts'
export { DeliveryRounds } from './deliveries/rounds.ts'
export type { WebhookDeps } from './deps.ts'
export { createEndpoint, type EndpointDeps, updateEndpoint } from './endpoints/change.ts'
export { sweepSecrets } from './endpoints/secret-store.ts'
export { endpointFigures, newestEndpointUrls } from './endpoints/stats.ts'
export { type LoggedEvent, readEvents } from './event-log.ts'
export {
  listOwnedDeliveries,
  listOwnedEndpoints,
  loadDeliveryWithBody,
  loadOwnedEndpoint,
  replayDelivery,
  sendTest,
  setEndpointStatus,
} from './operator.ts'
export { webhookOperations } from './webhook-operations.ts'
