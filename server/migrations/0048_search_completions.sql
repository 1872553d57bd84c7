-- What a shopper types is completed from the vocabulary: by the bytes of its beginning, whatever the database sorts by.
create index search_words_by_beginning on search_words (word collate "C", store_id) include (products);
