-- What is attached to a mail when it is delivered, in the terms of the feature that sends it: an order, or an order and its refund.
-- The files are made and kept elsewhere. The previous release attaches nothing.
alter table mails add column attached text check (length(attached) between 1 and 200);
