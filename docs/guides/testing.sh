# The commands of docs/guides/testing.md, which a test runs: sh -e docs/guides/testing.sh

# region decline
curl --fail-with-body -sS "$SIMULATOR_URL/control/faults" \
  -H "Authorization: Bearer $SIMULATOR_SECRET" -d '{"fault":"decline"}'
# endregion
