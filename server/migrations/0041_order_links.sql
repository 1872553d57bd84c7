-- Mails about orders link to the page of their order (docs/decisions/0086). They are written wherever an order changes, so the
-- address of the pages is kept where all of these are: the process that serves the pages writes it down.
create table pages_address (
  only_row boolean primary key default true check (only_row),
  url text not null check (length(url) between 1 and 2048)
);
