-- What arrived for a transfer, and what was paid back. With 100,000 transfers, the list of those to be paid back took 4 s, because it
-- added up the statement lines of each of them.
alter table payment_intents
  add column received bigint not null default 0 check (received >= 0),
  add column returned bigint not null default 0,
  add check (returned between 0 and received);

create function add_to_transfer() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'bank_statement_lines' then
    update payment_intents set received = received + new.amount where id = new.charge_id;
  else
    update payment_intents set returned = returned + new.amount where id = new.charge_id;
  end if;
  return null;
end
$$;
create trigger bank_statement_lines_add after insert on bank_statement_lines for each row execute function add_to_transfer();
create trigger transfer_returns_add after insert on transfer_returns for each row execute function add_to_transfer();

update payment_intents set received = line.amount
from (select charge_id, sum(amount)::bigint as amount from bank_statement_lines group by charge_id) line where line.charge_id = id;
update payment_intents set returned = back.amount
from (select charge_id, sum(amount)::bigint as amount from transfer_returns group by charge_id) back where back.charge_id = id;

create index payment_transfers_waiting on payment_intents (environment, id)
  where provider = 'manual' and kind = 'charge' and status = 'requires_action' and not void_asked;
create index payment_transfers_to_return on payment_intents (environment, id)
  where provider = 'manual' and kind = 'charge'
    and received - returned > case when status = 'succeeded' then least(amount, received)
      when status = 'requires_action' and not void_asked then received else 0 end;
-- A line of a statement names a transfer by the end of its id.
create index payment_transfers_by_reference on payment_intents (upper(right(id, 10)))
  where provider = 'manual' and kind = 'charge';
