-- Whether all sellers share a time zone is looked up for each order and its mails, without reading every seller.
create index seller_records_by_time_zone on seller_records (time_zone);
