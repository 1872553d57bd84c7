-- The timeline of an order is read in the shopper's language, so an entry stores the facts that its text needs. The English
-- text stays for the previous version, which reads it. Entries without facts are older, or their text needs none.

alter table order_timeline add column facts jsonb check (jsonb_typeof(facts) = 'object');
