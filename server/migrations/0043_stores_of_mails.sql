-- A mail speaks for the stores that it is about: their name, logo, colors and contact are added when it is delivered.
-- Empty: for the marketplace.
alter table mails add column store_ids text[] not null default '{}';
