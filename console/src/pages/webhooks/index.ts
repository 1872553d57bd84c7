import type { PageEntry } from '../../pages.ts'

export const webhookPages: readonly PageEntry[] = [
  {
    path: '/webhooks',
    title: 'Webhooks',
    menu: 'Integrations',
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
  {
    path: '/webhooks/:endpointId',
    title: 'Webhook endpoint',
    load: async () => (await import('./webhook-page.tsx')).WebhookPage,
  },
  {
    path: '/webhook-deliveries/:deliveryId',
    title: 'Delivery',
    load: async () => (await import('./delivery-page.tsx')).DeliveryPage,
  },
]
