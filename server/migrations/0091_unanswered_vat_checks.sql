-- A registry that does not answer is asked again after a minute, also about a number with an earlier answer, which stays. Without the time
-- of the last question, each change of an address asked it again, and waited for it.
alter table vat_checks
  -- When the registry was asked last. Null: written by the previous version, when it was checked.
  add column asked_at timestamptz;
