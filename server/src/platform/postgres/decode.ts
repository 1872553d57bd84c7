import { type CustomTypesConfig, types } from 'pg'

const asText = (value: string): string => value
const TEXT_ARRAY = 1009
// The driver's list of oids leaves the arrays out.
const textArray = (types.getTypeParser as (oid: number) => (value: string) => (string | null)[])(TEXT_ARRAY)

/**
 * How values come out of PostgreSQL, by the type's oid. What is not named here keeps the driver's own form: `timestamptz`
 * is a `Date`, `jsonb` is parsed, `bytea` is a `Buffer`.
 *
 * | type      | becomes  | because                                                                   |
 * |-----------|----------|---------------------------------------------------------------------------|
 * | `bigint`  | `bigint` | money and revisions pass 2^53 without a rounding that nobody sees          |
 * | `numeric` | `string` | a float would round it                                                    |
 * | `date`    | `string` | a day is no instant: a `Date` would move it with the time zone            |
 */
const PARSERS: Readonly<Record<number, (value: string) => unknown>> = {
  20: BigInt,
  1016: (value) => textArray(value).map((item) => (item === null ? null : BigInt(item))),
  1700: asText,
  1231: textArray,
  1082: asText,
  1182: textArray,
}

export const parsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS[oid] ?? types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
}
