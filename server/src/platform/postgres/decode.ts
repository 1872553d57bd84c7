import { type CustomTypesConfig, types } from 'pg'

const asText = (value: string): string => value
const TEXT_ARRAY = 1009
/** The items of an array. The driver's types omit the oids of arrays. */
export const textArray = (types.getTypeParser as (oid: number) => (value: string) => (string | null)[])(TEXT_ARRAY)

/**
 * How values of PostgreSQL are decoded, by the oid of the type. All other types keep the driver's decoding: `timestamptz` is
 * a `Date`, `jsonb` is parsed, `bytea` is a `Buffer`.
 *
 * | type      | becomes  | because                                                                   |
 * |-----------|----------|---------------------------------------------------------------------------|
 * | `bigint`  | `bigint` | money and revisions exceed 2^53 without silent rounding                   |
 * | `numeric` | `string` | a float would round it                                                    |
 * | `date`    | `string` | a `Date` would shift the day with the time zone                           |
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
