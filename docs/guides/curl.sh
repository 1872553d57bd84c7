# The commands of docs/guides/curl.md, which a test runs: sh -e docs/guides/curl.sh

# region keys
export VITRINE_URL=${VITRINE_URL:-http://127.0.0.1:8080}
export READ_KEY=$(node -p 'require("./.data/demo-keys.json").readKey')
export VITRINE_KEY=$(node -p 'require("./.data/demo-keys.json").boundKey')
export VITRINE_KEY_FILE=.data/$(node -p 'require("./.data/demo-keys.json").privateKeyFile')
proof() { node docs/guides/proof.js "$1" "$2"; }
# endregion

# region read
curl --fail-with-body -sS "$VITRINE_URL/api/v1/open/catalog/categories" -H "Authorization: Bearer $READ_KEY"
# endregion

# region write
URL=$VITRINE_URL/api/v1/open/storefront/carts
curl --fail-with-body -sS -X POST "$URL" \
  -H "Authorization: DPoP $VITRINE_KEY" \
  -H "DPoP: $(proof POST "$URL")" \
  -H "Idempotency-Key: my-first-cart" \
  -H 'Content-Type: application/json' \
  -d '{"currency":"EUR","country":"DE"}'
# endregion
