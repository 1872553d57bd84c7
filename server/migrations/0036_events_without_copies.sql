-- The body of a public event says all that its data said.
alter table events alter column data drop not null;
alter table events add constraint events_say_something check (data is not null or body is not null) not valid;
