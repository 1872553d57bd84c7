import { SEALED_PLACES } from './sealed-places.ts'

/**
 * Columns that contain a secret, or look as if they did, by their protection. A test compares the list with the database: a new
 * column whose name or type suggests a secret has to be declared here.
 */
export const SECRET_COLUMNS = {
  /** Encrypted with the key outside the database, or with a secret that is encrypted with it. */
  sealed: [
    ...SEALED_PLACES.map(({ table, sealed }) => `${table}.${sealed}`),
    'licence_keys.sealed',
    'form_submissions.answer',
  ],
  /** Random tokens with SHA-256, passwords with argon2id. The originals cannot be read again. */
  hashed:
    `api_keys.key_hash customer_sessions.token_hash customer_tokens.token_hash customers.password_hash email_changes.token_hash form_submissions.token_hash
    hosted_logins.code_hash integrations.token_hash licence_keys.fingerprint oauth_access_tokens.token_hash oauth_codes.code_hash
    oauth_refresh_tokens.token_hash operator_challenges.challenge_hash operator_links.token_hash operator_sessions.token_hash operators.password_hash
    operators.recovery_hashes password_resets.token_hash registrations.password_hash registrations.token_hash staff.password_hash
    staff_sessions.token_hash stores.access_password`.split(/\s+/),
  /** Plain text of releases before sealing, kept for a week: see `forgetPlainSecrets`. */
  inTheClear: ['server_secrets.secret'],
  /**
   * Mails until they are sent, with their links and license keys: the mailbox of operators shows them. Return URLs of payment
   * providers, with the key of a checkout page: `rotate checkout-page --drop-old` invalidates it.
   */
  readable: ['mails.body_text', 'mails.body_html', 'payment_intents.return_url'],
  /** Business codes, public challenges, ids of keys, and hashes and copies of data that is not secret. */
  notSecret: `after_sales.reason_code answer_dictionaries.dictionary bank_statement_lines.fingerprint carts.code
    catalog_import_chunks.bytes catalog_import_mappings.header catalog_imports.sha256
    customer_tokens.credential_version customers.credential_version customers.email_key customers.password_changed_at
    decorations.content_sha256 dpop_proofs.proof email_changes.email_key events.body form_submissions.fingerprint hosted_logins.code_challenge
    hosted_logins.credential_version idempotency_answers.answer idempotency_answers.key_hash idempotency_keys.answer
    idempotency_keys.fingerprint idempotency_keys.key integrations.token_hint invoice_files.pdf invoice_files.sha256
    legal_texts.sha256 licence_keys.sealing_key_id listings.name_key oauth_codes.code_challenge operator_passkeys.credential_id
    operator_passkeys.public_key operators.email_key
    operators.totp_confirmed_at operators.totp_key_id operators.totp_step order_lines.code order_timeline.code
    orders.external_hash password_resets.email_key payment_intents.failure_code payment_intents.provider_key
    products.content_hash promotions.code quotes.key_id quotes.payload quotes.signature readiness_proofs.code
    registrations.email_key sealing_keys.key_id server_secret_versions.key_id skus.barcode skus.code skus.option_key
    staff.email_key tax_answers.fingerprint tax_rates.code webhook_secrets.key_id`.split(/\s+/),
} as const
