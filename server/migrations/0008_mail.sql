-- Mails, written by the transaction of the change they report, so that none is missing and none reports a change that was
-- rolled back. A job delivers each; without an SMTP server they stay here, where operators read them.

create table mails (
  id text primary key,
  -- What the mail is about, such as accounts.reset.
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  recipient text not null check (length(recipient) between 3 and 254),
  locale text not null,
  subject text not null check (length(subject) between 1 and 200),
  -- Erased once an SMTP server has taken the mail: it may hold a link that opens something.
  body_text text,
  body_html text,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'kept', 'failed')),
  -- Why it could not be delivered so far. Never holds an address.
  last_error text check (length(last_error) <= 200),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((status = 'waiting') = (ended_at is null)),
  check ((status = 'sent') = (body_text is null)),
  check (status <> 'sent' or body_html is null)
);
create index mails_by_age on mails (created_at);
