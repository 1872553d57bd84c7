import { hasWordSql } from './words.ts'

/**
 * A table with personal data. The contents of an export, the changes of an erasure and the counts of a preview follow from the list
 * of places. A test compares the list with the tables of the database, so that no new table is missing.
 *
 * Conditions refer to the row `t` of the table and the row `person`, with the ids and words of the person ({@link PERSON}).
 */
export interface Place {
  readonly table: string
  readonly isOf: string
  /** Columns that an export leaves out: secrets and duplicates. `null`: the place is not exported. */
  readonly omit: readonly string[] | null
  /** Assignments that overwrite all personal data, or `delete`. `null`: the rows are kept, or deleted with another place. */
  readonly erase: string | 'delete' | null
  /** Kept by an erasure until the legal time of its order is over. */
  readonly isLegal?: true
}

/** The parameters of every statement, in this order. */
export const PERSON = `person as (select $1::text[] as customers, $2::text[] as emails, $3::text[] as orders,
  $4::text[] as carts, $5::text[] as payments, $6::text[] as subjects, $7::text[] as words, $8::text[] as names)`

/** The values that replace erased ones. */
export const ERASED = {
  text: 'Erased',
  email: 'erased@erased.invalid',
  url: 'https://erased.invalid/',
  customer: 'cus_00000000000000000000000000',
} as const

/** An erased address. Only the country is kept, because it determined the taxes. */
const erasedAddress = (address: string) => `case when ${address} is not null then jsonb_build_object(
  'recipientName', '${ERASED.text}', 'line1', '${ERASED.text}', 'city', '${ERASED.text}', 'countryCode', ${address} -> 'countryCode') end`
const erasedText = (column: string) => `${column} = case when t.${column} is not null then '${ERASED.text}' end`

const OF_ORDER = 't.order_id = any (person.orders)'
const OF_CUSTOMER = 't.customer_id = any (person.customers)'
const OF_EMAIL = 't.email_key = any (person.emails)'
const SECRETS = ['password_hash', 'token_hash', 'email_key']

/** In the order of an erasure: a row is erased before the rows that it is found by. */
export const PLACES: readonly Place[] = [
  {
    table: 'mails',
    // A requested new address may belong to another person, so only the mail about the change is included. Mails to operators are not
    // about shoppers, and have links to choose a password.
    isOf: `t.kind not like 'operators.%' and (lower(t.recipient) = any (person.emails)
      or ${hasWordSql("t.subject || ' ' || coalesce(t.body_text, '')")}
      or (t.kind = 'accounts.address' and lower(t.recipient) in
        (select lower(email) from email_changes where customer_id = any (person.customers))))`,
    omit: ['body_html'],
    erase: 'delete',
  },
  {
    table: 'events',
    // The subject of an event about a store's share is named with the store.
    isOf: `t.subject_id = any (person.subjects || array(select subject || '/' || store_id from unnest(person.subjects) subject,
      (select distinct store_id from order_shares where order_id = any (person.orders)) share))`,
    omit: null,
    erase: 'delete',
  },
  { table: 'audit_values', isOf: 't.subject_id = any (person.subjects)', omit: null, erase: 'delete' },
  {
    table: 'jobs',
    isOf: `t.dead_at is not null and (t.subject = any (person.subjects) or ${hasWordSql('t.payload::text')})`,
    omit: null,
    erase: 'delete',
  },
  {
    table: 'search_counts',
    isOf: 't.query = any (person.words || person.names)',
    omit: null,
    erase: 'delete',
  },
  {
    table: 'vat_checks',
    // A shopper may have typed the number on the checkout page, or saved it with the account.
    isOf: `t.vat_id in (select address ->> 'vatId' from orders, unnest(array[shipping_address, billing_address]) address
        where id = any (person.orders)
      union select address ->> 'vatId' from carts, unnest(array[shipping_address, billing_address]) address
        where id = any (person.carts)
      union select address ->> 'vatId' from checkout_sessions, unnest(array[shipping_address, billing_address]) address
        where cart_id = any (person.carts)
      union select address ->> 'vatId' from customer_addresses where customer_id = any (person.customers))`,
    omit: [],
    erase: 'delete',
  },
  { table: 'registrations', isOf: OF_EMAIL, omit: SECRETS, erase: 'delete' },
  { table: 'email_changes', isOf: `${OF_EMAIL} or ${OF_CUSTOMER}`, omit: SECRETS, erase: 'delete' },
  { table: 'password_resets', isOf: `${OF_EMAIL} or ${OF_CUSTOMER}`, omit: SECRETS, erase: 'delete' },
  { table: 'customer_addresses', isOf: OF_CUSTOMER, omit: [], erase: 'delete' },
  { table: 'customer_consents', isOf: OF_CUSTOMER, omit: [], erase: 'delete' },
  { table: 'customer_sessions', isOf: OF_CUSTOMER, omit: SECRETS, erase: 'delete' },
  { table: 'customer_tokens', isOf: OF_CUSTOMER, omit: SECRETS, erase: 'delete' },
  { table: 'hosted_logins', isOf: OF_CUSTOMER, omit: ['code_hash', 'code_challenge', 'state'], erase: 'delete' },
  { table: 'promotion_usage', isOf: OF_CUSTOMER, omit: [], erase: 'delete' },
  { table: 'promotion_claims', isOf: OF_CUSTOMER, omit: [], erase: 'delete' },
  {
    table: 'promotions',
    isOf: 't.customer_ids && person.customers',
    omit: null,
    // A promotion for this customer only must not become one for all customers.
    erase: `customer_ids = coalesce(nullif(array(select id from unnest(t.customer_ids) id where id <> all (person.customers)), '{}'),
      array['${ERASED.customer}'])`,
  },
  {
    table: 'payment_attempts',
    isOf: 't.intent_id = any (person.payments)',
    omit: null,
    erase: erasedText('detail'),
  },
  {
    table: 'payment_intents',
    isOf: 't.id = any (person.payments)',
    omit: ['return_url', 'next_action_url', 'provider_key', 'fence', 'lease_until'],
    erase: 'return_url = null, next_action_url = null',
  },
  {
    table: 'after_sales',
    isOf: OF_ORDER,
    omit: ['policy_versions'],
    erase: `description = null, evidence = '[]', instructions = null, ${erasedText('decline_reason')},
      timeline = (select jsonb_agg(case when entry ? 'facts' then (entry - 'facts') || '{"text": "${ERASED.text}"}' else entry end)
        from jsonb_array_elements(t.timeline) entry)`,
  },
  {
    table: 'cancellations',
    isOf: OF_ORDER,
    omit: ['policy_versions'],
    erase: `note = null, ${erasedText('decline_reason')}`,
  },
  {
    table: 'fulfilment_intents',
    isOf: OF_ORDER,
    omit: [],
    erase: `${erasedText('note')}, reference = case when t.reference is not null then 'erased ' || t.id end,
      tracking_number = null, tracking_url = null`,
  },
  { table: 'order_parcels', isOf: OF_ORDER, omit: [], erase: 'tracking_number = null, tracking_url = null' },
  {
    table: 'order_timeline',
    isOf: OF_ORDER,
    omit: ['facts'],
    erase: `facts = null, text = case when t.facts is not null or t.code = 'held' then '${ERASED.text}' else t.text end`,
  },
  { table: 'order_notes', isOf: OF_ORDER, omit: [], erase: 'delete' },
  { table: 'order_tags', isOf: OF_ORDER, omit: [], erase: 'delete' },
  { table: 'order_lines', isOf: OF_ORDER, omit: [], erase: null },
  {
    table: 'invoices',
    isOf: `${OF_ORDER} and t.erased_at is null`,
    omit: ['seller'],
    erase: `erased_at = $9::timestamptz, facts = t.facts || jsonb_build_object('email', '${ERASED.email}',
      'shippingAddress', ${erasedAddress("nullif(t.facts -> 'shippingAddress', 'null')")},
      'billingAddress', ${erasedAddress("nullif(t.facts -> 'billingAddress', 'null')")})`,
    isLegal: true,
  },
  {
    table: 'invoice_files',
    isOf: 't.invoice_id in (select id from invoices where order_id = any (person.orders))',
    omit: null,
    erase: 'delete',
    isLegal: true,
  },
  {
    table: 'orders',
    isOf: 't.id = any (person.orders)',
    omit: ['external_hash'],
    erase: `erased_at = coalesce(t.erased_at, $9::timestamptz), email = '${ERASED.email}', phone = null, customer_id = null,
      metadata = '{}', client_reference_id = null, shipping_address = ${erasedAddress('t.shipping_address')},
      billing_address = ${erasedAddress('t.billing_address')}, version = t.version + 1`,
  },
  { table: 'order_vat_checks', isOf: OF_ORDER, omit: [], erase: 'delete', isLegal: true },
  {
    table: 'carts',
    isOf: 't.id = any (person.carts)',
    omit: [],
    // Also deletes its lines, quotes and checkout sessions.
    erase: 'delete',
  },
  { table: 'checkout_sessions', isOf: 't.cart_id = any (person.carts)', omit: [], erase: null },
  { table: 'customers', isOf: 't.id = any (person.customers)', omit: SECRETS, erase: 'delete' },
]

/** Deleted with their cart or event. */
export const GO_WITH_OTHERS = [
  'cart_lines',
  'event_log',
  'events_to_deliver',
  'quotes',
  'webhook_attempts',
  'webhook_deliveries',
]

/** Rewritten by a job: `rewriteAnswers`. */
export const REWRITTEN = ['idempotency_answers']

/** Tables without data about shoppers, or with only the id of one. */
export const WITHOUT_SHOPPERS =
  `access_challenges after_sales_lines answer_dictionaries api_keys audit_log bank_accounts
  bank_statement_lines cancellation_lines catalog_change_marks catalog_changes catalog_import_chunks catalog_import_refusals
  catalog_import_mappings catalog_import_products catalog_imports categories commit_markers contact_channels decoration_drafts decorations dpop_proofs event_log_head event_sequences
  form_submissions fulfilment_units idempotency_keys installations integrations invoice_counters legal_documents legal_texts licence_keys licence_pools
  listing_epoch listings mail_senders mail_templates migrations migrations_lock oauth_access_tokens oauth_clients oauth_codes
  oauth_grants oauth_refresh_tokens operator_challenges operator_identities operator_links operator_passkeys operator_policy operator_sessions operators order_adjustments
  order_parcel_lines order_policies order_policy_kinds order_shares order_shipping pages_address payment_disputes
  payment_notifications pictures prices product_changes product_texts products promotion_amounts rate_limits readiness_proofs
  related_products retention_settings revisions sealing_keys search_documents search_rules search_shipped_off search_statistics search_synonyms
  search_terms search_words seller_records server_secret_versions server_secrets shipping_methods shipping_rates shipping_zone_places shipping_zones
  site_settings skus staff staff_sessions stock_holds stock_levels stock_sold_beyond stores swept_transactions tax_answers tax_failures tax_rates
  tax_schemes transfer_returns webhook_endpoints webhook_health webhook_secrets`.split(/\s+/)
