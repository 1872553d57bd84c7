/** Where providers and their pages lead on the pages door. */
export const PAYMENT_PATHS = {
  notifications: '/payments/:provider/notifications',
  return: '/payments/return',
} as const
