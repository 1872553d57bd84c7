-- Units that come back go first to checkouts that reserved beyond the stock. Almost none did: without an index, each checkout that ends
-- read the holds of all others.
create index stock_holds_beyond on stock_holds (sku_id) where quantity > taken;
