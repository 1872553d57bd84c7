-- Who mails are from, where the installation's MAIL_FROM is not to be seen: for the marketplace or a store. The mail server
-- has to be allowed to send for the address, which only its operator can arrange.
create table mail_senders (
  store_id text references stores (id),
  name text check (length(name) between 1 and 100),
  address text check (length(address) between 3 and 254),
  reply_to text check (length(reply_to) between 3 and 254),
  version integer not null check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (store_id)
);
